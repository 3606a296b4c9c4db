/** Runs once, at the first user input: loads what the first paint does not need. */
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
