import { SelectButton, useWhole } from '../../ui/SelectButton.tsx'
import { words } from './words.ts'
import type { ZoneProps } from './ZoneList.tsx'
import { zoneName } from './zones.ts'

const load = () => import('./ZoneList.tsx').then((module) => module.default)

/** The agency's zone. The list of all of them comes when it is asked for. */
export function TimeZoneField(props: ZoneProps) {
  const { Whole, near, open } = useWhole(load)
  if (Whole) return <Whole {...props} />
  return (
    <SelectButton label={words.timeZone} testId="select-time-zone" shortcut="/" onNear={near} onOpen={open}>
      {zoneName(props.value)}
    </SelectButton>
  )
}
