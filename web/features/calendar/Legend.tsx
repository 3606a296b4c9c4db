import { platformList, platformLook } from '../../lib/platforms.ts'
import { words } from './words.ts'

export function Legend() {
  return (
    <ul
      aria-label={words.platforms}
      className="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm text-quiet"
      data-testid="calendar-legend"
    >
      {platformList.map((platform) => (
        <li key={platform} className="flex items-center gap-2">
          <span aria-hidden className={`h-3.5 w-[3px] rounded-full ${platformLook[platform].bar}`} />
          {platformLook[platform].name}
        </li>
      ))}
    </ul>
  )
}
