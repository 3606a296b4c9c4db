import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react'
import type { RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { followTheme, keepTheme, themes, useTheme, type Theme } from './theme.ts'
import { popoverStyle } from '../../ui/field.ts'
import { words } from './words.ts'

interface Props {
  readonly trigger: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

const icons: Readonly<Record<Theme, LucideIcon>> = { system: Monitor, light: Sun, dark: Moon }

// This module is loaded once the screen is quiet.
followTheme()

/** The page takes each choice at once; a press beside the popover, or Escape, closes it. */
export default function ThemeMenu({ trigger, onClose }: Props) {
  const chosen = useTheme()
  return (
    <Popover
      isOpen
      triggerRef={trigger}
      placement="bottom end"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={`${popoverStyle} min-w-40`}
    >
      <Dialog aria-label={words.title} className="p-1.5 outline-none">
        <fieldset>
          <legend className="px-2.5 pt-1 pb-1.5 text-xs font-medium text-quiet">{words.title}</legend>
          {themes.map((theme) => {
            const Icon = icons[theme]
            return (
              <label
                key={theme}
                className="flex items-center gap-2.5 rounded-control px-2.5 py-2 hover:bg-n3 has-focus-visible:bg-n3"
              >
                <Icon aria-hidden className="size-4 text-quiet" />
                <span className="flex-1">{words.names[theme]}</span>
                <input
                  type="radio"
                  name="theme"
                  checked={theme === chosen}
                  onChange={() => keepTheme(theme)}
                  className="size-4 accent-accent"
                />
              </label>
            )
          })}
        </fieldset>
      </Dialog>
    </Popover>
  )
}
