import { Check, ChevronsUpDown } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Button } from 'react-aria-components/Button'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { SearchField } from 'react-aria-components/SearchField'
import { Select, SelectValue } from 'react-aria-components/Select'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { controlStyle, labelStyle, optionStyle, popoverStyle } from '../../ui/field.ts'
import { useOpenOnArrival } from '../../ui/ListSelect.tsx'
import { words } from './words.ts'
import { described, zoneName, zonesFor, zonesWith } from './zones.ts'

export interface ZoneProps {
  readonly value: string
  readonly onChange: (zone: string) => void
}

/** Every zone that the browser knows, found by city, country or offset. */
export default function ZoneList({ value, onChange }: ZoneProps) {
  const { trigger, ...opening } = useOpenOnArrival()
  const [text, setText] = useState('')
  const zones = useZones(value)
  const shown = useMemo(() => zonesFor(text, zones), [text, zones])
  const list = useRef<HTMLDivElement>(null)
  // The best matches are on top.
  useEffect(() => {
    if (list.current && shown !== zones) list.current.scrollTop = 0
  }, [shown, zones])
  return (
    <Select
      {...opening}
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      className="flex flex-col gap-1.5"
    >
      <Label className={labelStyle}>{words.timeZone}</Label>
      <Button
        ref={trigger}
        data-testid="select-time-zone"
        data-shortcut="/"
        className={`${controlStyle()} flex items-center justify-between gap-2 text-left`}
      >
        <SelectValue className="truncate">{zoneName(value)}</SelectValue>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-quiet" />
      </Button>
      <Popover className={`${popoverStyle} w-(--trigger-width)`}>
        <Autocomplete inputValue={text} onInputChange={setText}>
          <SearchField aria-label={words.searchZones} {...{ autoFocus: true }} className="border-b border-line p-2">
            {/* Which says that its list is reached with the arrows, from here. */}
            <Input
              {...{ role: 'combobox', 'aria-expanded': true }}
              className={controlStyle()}
              placeholder={words.searchHint}
            />
          </SearchField>
          <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: 36, padding: 6 }}>
            <ListBox
              ref={list}
              items={shown}
              className="h-72 overflow-auto outline-none"
              renderEmptyState={() => <p className="p-3 text-quiet">{words.noZone}</p>}
            >
              {({ id, name, about, offset }) => (
                <ListBoxItem
                  id={id}
                  textValue={[name, about, offset].filter(Boolean).join(', ')}
                  className={optionStyle}
                >
                  {({ isSelected }) => (
                    <>
                      <span className="min-w-0 flex-1 truncate">
                        {name}
                        <span className="ml-2 text-sm text-quiet">{about}</span>
                      </span>
                      <span className="tabular text-sm text-quiet">{offset}</span>
                      {isSelected && <Check aria-hidden className="size-4 text-accent-ink" />}
                    </>
                  )}
                </ListBoxItem>
              )}
            </ListBox>
          </Virtualizer>
        </Autocomplete>
      </Popover>
    </Select>
  )
}

/** Names at once; offsets and countries of today a little later. */
function useZones(value: string) {
  const named = useMemo(() => zonesWith(value), [value])
  const [zones, setZones] = useState(named)
  useEffect(() => {
    const leaving = new AbortController()
    void described(named, new Date(), leaving.signal).then((known) => known && setZones(known))
    return () => leaving.abort()
  }, [named])
  return zones
}
