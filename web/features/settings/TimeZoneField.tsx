import { Check, ChevronsUpDown } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox } from 'react-aria-components/ComboBox'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { controlStyle, errorStyle, labelStyle } from '../../ui/field.ts'
import { optionStyle, popoverStyle } from '../../ui/Select.tsx'

interface Props {
  readonly value: string | null
  readonly onChange: (zone: string | null) => void
}

/** Every zone that the browser knows, found by typing a part of its name. */
export function TimeZoneField({ value, onChange }: Props) {
  const zones = useMemo(() => {
    const known = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])
    if (value !== null) known.add(value)
    return [...known].map((id) => ({ id, name: id.replaceAll('_', ' ') }))
  }, [value])
  return (
    <ComboBox
      defaultItems={zones}
      value={value}
      onChange={(key) => onChange(key === null ? null : String(key))}
      menuTrigger="focus"
      isRequired
      validationBehavior="aria"
      isInvalid={value === null}
      className="flex flex-col gap-1.5"
    >
      <Label className={labelStyle}>Time Zone</Label>
      <div className="relative">
        <Input className={controlStyle({ class: 'pr-9' })} />
        <Button className="absolute inset-y-0 right-0 grid w-9 place-items-center text-quiet">
          <ChevronsUpDown aria-hidden className="size-4" />
        </Button>
      </div>
      <FieldError className={errorStyle}>Choose a time zone from the list</FieldError>
      <Popover className={`${popoverStyle} w-(--trigger-width)`}>
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: 36, padding: 6 }}>
          <ListBox className="h-72 overflow-auto outline-none" renderEmptyState={() => <p className="p-3 text-quiet">No zone has that name.</p>}>
            {(zone: { id: string; name: string }) => (
              <ListBoxItem id={zone.id} textValue={zone.name} className={optionStyle}>
                {({ isSelected }) => (
                  <>
                    <span className="flex-1 truncate">{zone.name}</span>
                    {isSelected && <Check aria-hidden className="size-4 text-accent-ink" />}
                  </>
                )}
              </ListBoxItem>
            )}
          </ListBox>
        </Virtualizer>
      </Popover>
    </ComboBox>
  )
}
