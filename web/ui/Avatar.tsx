import { useState } from 'react'
import { inkOn } from '../lib/ink.ts'

const sizes = { sm: 'size-8 text-sm', md: 'size-10 text-lg', lg: 'size-14 text-xl' }

interface Props {
  readonly name: string
  readonly image?: string | null
  /** A client's own colour; without one, the neutral of the product. */
  readonly color?: string | null
  readonly size?: keyof typeof sizes
  readonly round?: boolean
}

export function Avatar({ name, image, color, size = 'md', round = false }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  const shape = `${sizes[size]} ${round ? 'rounded-full' : 'rounded-card'} shrink-0`
  if (image && broken !== image) {
    return <img src={image} alt="" onError={() => setBroken(image)} className={`${shape} bg-n3 object-cover`} />
  }
  const letter = [...name.trim()][0]?.toUpperCase() ?? ''
  return (
    <span
      aria-hidden
      className={`${shape} grid place-items-center font-semibold ${color ? '' : 'bg-n4 text-ink'}`}
      style={color ? { backgroundColor: color, color: inkOn(color) } : undefined}
    >
      {letter}
    </span>
  )
}
