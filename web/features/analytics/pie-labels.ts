/** Places the labels of a pie's slices: outside the ring and clear of each other. */
interface Slice {
  readonly startAngle: number
  readonly endAngle: number
}

export interface Place {
  readonly x: number
  readonly y: number
  readonly right: boolean
}

export function placesOf(slices: readonly Slice[], radius: number, gap: number): readonly Place[] {
  const places = slices.map(({ startAngle, endAngle }) => {
    const middle = (startAngle + endAngle) / 2
    return { x: Math.sin(middle) * (radius + 12), y: -Math.cos(middle) * (radius + 14), right: Math.sin(middle) >= 0 }
  })
  for (const right of [true, false]) {
    // From the bottom up: each makes room for the one below it, and then stands above the ring.
    const side = places.filter((place) => place.right === right).sort((one, other) => other.y - one.y)
    for (const [index, place] of side.entries()) {
      const below = side[index - 1]
      if (below && below.y - place.y < gap) place.y = below.y - gap
    }
  }
  return places
}
