/** Unicode's normal forms for texts of any length. Browser-safe. */

/** A run of more marks than any language has on one letter (Unicode's Stream-Safe Text Format, UAX #15, has 30). */
const manyMarks = /(?<!\p{M})(\p{M}{64,})/u
const maxMarks = 64
const mark = /\p{M}/u

/**
 * The text in a normal form. `String.prototype.normalize` takes time quadratic in the number of consecutive combining
 * marks (measured on Node 20.20: 64,000 marks in 1.9 s), so a longer run of marks is normalized 64 at a time: marks are
 * not reordered across these pieces.
 */
export function normalForm(form: 'NFC' | 'NFKC' | 'NFKD', text: string): string {
  // Most texts have no mark at all: finding that out takes a third of the time.
  if (!mark.test(text) || !manyMarks.test(text)) return text.normalize(form)
  const parts = text.split(manyMarks).flatMap((part, index) => (index % 2 === 0 ? [part] : marksOf(part)))
  return parts.map((part) => part.normalize(form)).join('')
}

function marksOf(run: string): string[] {
  const points = [...run]
  return Array.from({ length: Math.ceil(points.length / maxMarks) }, (_, index) =>
    points.slice(index * maxMarks, (index + 1) * maxMarks).join(''),
  )
}
