import { Check, ChevronsUpDown } from 'lucide-react'
import { useMemo } from 'react'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
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

export interface ZoneProps {
  readonly value: string
  readonly onChange: (zone: string) => void
}

/** Every zone that the browser knows, found by typing a part of its name. */
export default function ZoneList({ value, onChange }: ZoneProps) {
  const { trigger, ...opening } = useOpenOnArrival()
  const { contains } = useFilter({ sensitivity: 'base' })
  const zones = useMemo(() => {
    const known = new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])
    return [...known].map((id) => ({ id, name: id.replaceAll('_', ' ') }))
  }, [value])
  return (
    <Select
      {...opening}
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      className="flex flex-col gap-1.5"
    >
      <Label className={labelStyle}>Time Zone</Label>
      <Button
        ref={trigger}
        data-testid="select-time-zone"
        data-shortcut="/"
        className={`${controlStyle()} flex items-center justify-between gap-2 text-left`}
      >
        <SelectValue className="truncate">{value.replaceAll('_', ' ')}</SelectValue>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-quiet" />
      </Button>
      <Popover className={`${popoverStyle} w-(--trigger-width)`}>
        <Autocomplete filter={contains}>
          <SearchField aria-label="Search time zones" {...{ autoFocus: true }} className="border-b border-line p-2">
            {/* Which says that its list is reached with the arrows, from here. */}
            <Input
              {...{ role: 'combobox', 'aria-expanded': true }}
              className={controlStyle()}
              placeholder="Search, for example Berlin"
            />
          </SearchField>
          <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: 36, padding: 6 }}>
            <ListBox
              items={zones}
              className="h-72 overflow-auto outline-none"
              renderEmptyState={() => <p className="p-3 text-quiet">No zone has that name.</p>}
            >
              {({ id, name }) => (
                <ListBoxItem id={id} textValue={name} className={optionStyle}>
                  {({ isSelected }) => (
                    <>
                      <span className="flex-1 truncate">{name}</span>
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
