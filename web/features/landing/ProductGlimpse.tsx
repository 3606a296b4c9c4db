/** A look at the product itself, drawn with its own parts. */
import { Check, Clock } from 'lucide-react'
import type { Platform } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { words } from './words.ts'

interface Tile {
  readonly platform: Platform
  readonly time: string
  readonly text: string
}

const week: readonly { readonly day: string; readonly date: number; readonly tiles: readonly Tile[] }[] = [
  {
    day: words.glimpse.days.mon,
    date: 3,
    tiles: [{ platform: 'instagram', time: '9:00 AM', text: words.glimpse.tiles.menu }],
  },
  {
    day: words.glimpse.days.tue,
    date: 4,
    tiles: [
      { platform: 'linkedin', time: '8:30 AM', text: words.glimpse.tiles.hiring },
      { platform: 'twitter', time: '4:15 PM', text: words.glimpse.tiles.question },
    ],
  },
  {
    day: words.glimpse.days.wed,
    date: 5,
    tiles: [{ platform: 'facebook', time: '6:00 PM', text: words.glimpse.tiles.house }],
  },
  {
    day: words.glimpse.days.thu,
    date: 6,
    tiles: [{ platform: 'instagram', time: '12:00 PM', text: words.glimpse.tiles.roast }],
  },
]

export function ProductGlimpse() {
  return (
    <div aria-hidden className="relative select-none max-lg:mx-auto max-lg:max-w-dialog">
      <div className="rounded-dialog border border-line bg-canvas p-4 pb-28">
        <p className="px-1 pb-3 font-semibold">{words.glimpse.month}</p>
        <div className="grid grid-cols-3 gap-2 sm:grid-cols-4">
          {week.map(({ day, date, tiles }) => (
            <div key={day} className="min-h-36 rounded-card border border-line bg-surface p-2 max-sm:last:hidden">
              <p className="tabular flex justify-between pb-2 text-xs text-quiet">
                <span>{day}</span>
                <span>{date}</span>
              </p>
              <div className="space-y-1.5">
                {tiles.map((tile) => (
                  <div
                    key={tile.text}
                    className={`relative overflow-hidden rounded-control py-1.5 pr-1.5 pl-2.5 ${platformLook[tile.platform].tint}`}
                  >
                    <span className={`absolute inset-y-0 left-0 w-[3px] ${platformLook[tile.platform].bar}`} />
                    <p className="tabular flex items-center gap-1 text-xs text-quiet">
                      <PlatformIcon platform={tile.platform} className="size-3" />
                      <span className="truncate">{tile.time}</span>
                    </p>
                    <p className="truncate text-xs font-medium">{tile.text}</p>
                  </div>
                ))}
              </div>
            </div>
          ))}
        </div>
      </div>
      <div className="absolute right-3 -bottom-8 left-6 rounded-dialog bg-float p-5 shadow-float sm:right-8 sm:left-24">
        <div className="flex items-center justify-between gap-3">
          <p className="flex min-w-0 items-center gap-2 font-medium">
            <PlatformIcon platform="instagram" />
            <span className="truncate">{words.glimpse.client}</span>
          </p>
          <span className="inline-flex shrink-0 items-center gap-1.5 rounded-full bg-pending-soft px-2 py-0.5 text-xs font-medium text-pending-ink">
            <Clock className="size-3" />
            {words.glimpse.status}
          </span>
        </div>
        <p className="mt-3 leading-relaxed">{words.glimpse.post}</p>
        <div className="mt-4 flex items-center justify-between gap-3">
          <p className="text-sm text-quiet">{words.glimpse.time}</p>
          <span className="inline-flex h-8 items-center gap-1.5 rounded-control bg-accent px-3 text-sm font-medium text-on-accent">
            <Check className="size-4" />
            {words.glimpse.approve}
          </span>
        </div>
      </div>
    </div>
  )
}
