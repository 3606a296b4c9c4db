/** A promise that the test resolves, to hold an answer back. */
export function gate(): { readonly until: Promise<void>; readonly open: () => void } {
  let open = () => {}
  const until = new Promise<void>((resolve) => (open = resolve))
  return { until, open }
}
