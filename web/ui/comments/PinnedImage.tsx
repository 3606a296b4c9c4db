/** The image of a post with the points that comments are about, and one to choose. */
import type { KeyboardEvent, MouseEvent } from 'react'
import { words } from './words.ts'

interface Point {
  readonly x: number
  readonly y: number
}

interface Props {
  readonly src: string
  readonly points: readonly (Point & { readonly id: string })[]
  readonly chosen?: Point | null
  /** Absent: the points are shown alone. */
  readonly onChoose?: (point: Point) => void
}

const frameStyle = 'relative block w-full overflow-hidden rounded-control border border-line'
const step = 0.05
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
}
const within = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000
const percent = (share: number) => Math.round(share * 100)

export function PinnedImage({ src, points, chosen = null, onChoose }: Props) {
  const image = (
    <>
      <img src={src} alt="" className="w-full bg-n3" />
      {points.map(({ id, x, y }, index) => (
        <Pin key={id} x={x} y={y} look="bg-surface text-ink">
          {String(index + 1)}
        </Pin>
      ))}
    </>
  )
  if (!onChoose) return <div className={frameStyle}>{image}</div>
  const onClick = ({ currentTarget, clientX, clientY, detail }: MouseEvent<HTMLButtonElement>) => {
    // A key has no place: it begins in the middle, and the arrows move it.
    if (detail === 0) return onChoose(chosen ?? { x: 0.5, y: 0.5 })
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    onChoose({ x: within((clientX - left) / (width || 1)), y: within((clientY - top) / (height || 1)) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (!move || !chosen) return
    event.preventDefault()
    onChoose({ x: within(chosen.x + move[0]), y: within(chosen.y + move[1]) })
  }
  return (
    <button
      type="button"
      aria-label={words.imageHint}
      {...(chosen && { 'aria-description': words.pointOf(percent(chosen.x), percent(chosen.y)) })}
      onClick={onClick}
      onKeyDown={onKeyDown}
      className={`cursor-crosshair ${frameStyle}`}
      data-testid="pinned-image"
    >
      {image}
      {chosen && (
        <Pin {...chosen} look="bg-accent text-on-accent">
          {'+'}
        </Pin>
      )}
    </button>
  )
}

const Pin = ({ x, y, look, children }: Point & { readonly look: string; readonly children: string }) => (
  <span
    aria-hidden
    style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
    className={`absolute grid size-6 -translate-1/2 place-items-center rounded-full border border-control text-xs font-semibold shadow-float ${look}`}
  >
    {children}
  </span>
)
