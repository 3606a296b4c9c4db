import { Dialog } from '../ui/Dialog.tsx'
import { screens, shortcutsOn, useShortcutsOn } from './shortcuts.ts'

const mac = /Mac|iPhone|iPad/.test(navigator.platform)

const rows: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  ...Object.entries(screens).map(([key, { name }]) => ({ keys: ['g', key], does: `Go to ${name}` })),
  { keys: ['n'], does: 'New client, account or post, as the screen has it' },
  { keys: ['/'], does: "Go to the screen's selector" },
  { keys: ['j', 'k'], does: 'Next or previous post that waits for review' },
  { keys: ['x'], does: 'Select it' },
  { keys: ['a'], does: 'Approve it, or those that are selected' },
  { keys: ['r'], does: 'Reject it, or those that are selected' },
  { keys: [mac ? '⌘' : 'Ctrl', 'b'], does: 'Open or close the sidebar' },
  { keys: ['?'], does: 'Show this list' },
]

export default function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const on = useShortcutsOn()
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" width="small">
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
        Single keys do these things
      </label>
    </Dialog>
  )
}
