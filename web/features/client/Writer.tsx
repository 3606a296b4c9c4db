import { Sparkles } from 'lucide-react'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import type { PanelProps } from './WriterPanel.tsx'
import { words } from './words.ts'

// Most posts are written by hand, and the composer is to be there at once.
const WriterPanel = lazyDialog<PanelProps>(() => import('./WriterPanel.tsx'))

interface Props extends Omit<PanelProps, 'onClose'> {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

export function Writer({ open, onOpen, ...panel }: Props) {
  if (open) return <WriterPanel {...panel} onClose={() => onOpen(false)} />
  return (
    <PaidButton className="self-start" onPress={() => onOpen(true)} data-testid="button-generate">
      <Sparkles aria-hidden />
      {words.generateWithAi}
    </PaidButton>
  )
}
