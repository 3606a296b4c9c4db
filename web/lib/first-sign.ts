/** Once, at the first sign of a person: what nobody needs to see the page, but everybody soon after. */
const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const

export function onFirstSign(act: () => void): () => void {
  const stop = () => signs.forEach((sign) => window.removeEventListener(sign, onSign))
  const onSign = () => {
    stop()
    act()
  }
  for (const sign of signs) window.addEventListener(sign, onSign, { passive: true })
  return stop
}
