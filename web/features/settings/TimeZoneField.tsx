import { SelectButton, useWhole } from '../../ui/SelectButton.tsx'
import type { ZoneProps } from './ZoneList.tsx'

const load = () => import('./ZoneList.tsx').then((module) => module.default)

/** The agency's zone. The list of all of them comes when it is asked for. */
export function TimeZoneField(props: ZoneProps) {
  const { Whole, near, open } = useWhole(load)
  if (Whole) return <Whole {...props} />
  return (
    <SelectButton label="Time Zone" testId="select-time-zone" shortcut="/" onNear={near} onOpen={open}>
      {props.value.replaceAll('_', ' ')}
    </SelectButton>
  )
}
