import { Dialog } from '../../ui/Dialog.tsx'
import { isMac, screens, shortcutsOn, useShortcutsOn } from '../shortcuts.ts'
import { words } from './words.ts'

const control = isMac ? '⌘' : 'Ctrl'

const rows: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: [control, 'k'], does: words.palette },
  ...Object.entries(screens).map(([key, { name }]) => ({ keys: ['g', key], does: words.goTo(name) })),
  { keys: ['n'], does: words.newThing },
  { keys: ['/'], does: words.selector },
  { keys: ['j', 'k'], does: words.nextPost },
  { keys: ['x'], does: words.selectPost },
  { keys: ['a'], does: words.approvePost },
  { keys: ['r'], does: words.rejectPost },
  { keys: ['←', '→', '↑', '↓'], does: words.calendarDay },
  { keys: ['Home', 'End'], does: words.calendarWeek },
  { keys: ['Page Up', 'Page Down'], does: words.calendarPage },
  { keys: ['Shift', 'Enter'], does: words.calendarMenu },
  { keys: [control, 'b'], does: words.sidebar },
  { keys: ['?'], does: words.help },
]

export default function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const on = useShortcutsOn()
  return (
    <Dialog open onClose={onClose} title={words.title} width="small">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-5 gap-y-2">
        {rows.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="grid h-6 min-w-6 place-items-center rounded-control border border-n6 bg-n3 px-1.5 font-sans text-xs font-medium"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex items-center gap-2.5 border-t border-line pt-4">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => shortcutsOn.set(event.target.checked)}
          className="size-4 accent-accent"
        />
        {words.singleKeys}
      </label>
    </Dialog>
  )
}
