/** Shows new recovery codes, once. */
import { Copy, Download, Printer } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { words as allWords } from './words.ts'

const words = allWords.codes

/** The codes alone, without the page behind the dialog. */
function print(text: string) {
  const frame = document.createElement('iframe')
  frame.hidden = true
  document.body.append(frame)
  const { contentDocument, contentWindow } = frame
  const page = contentDocument?.createElement('pre')
  if (page) {
    page.textContent = text
    contentDocument?.body.append(page)
    contentWindow?.addEventListener('afterprint', () => frame.remove())
    contentWindow?.print()
  }
}

interface Props {
  readonly codes: readonly string[]
  readonly email: string
  readonly onClose: () => void
}

export default function ShowCodes({ codes, email, onClose }: Props) {
  const text = `${words.fileTitle(email)}\n\n${codes.join('\n')}\n`
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast({ title: words.copied, description: words.copiedText }),
      () => toast({ title: allWords.error, description: words.copyFailed, variant: 'destructive' }),
    )
  const download = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: words.fileName })
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width="small"
      title={words.title}
      description={words.about}
      footer={
        <Button look="primary" onPress={onClose}>
          {words.saved}
        </Button>
      }
    >
      <ol
        className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-control border border-line bg-canvas p-4 font-mono"
        data-testid="recovery-codes"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onPress={copy}>
          <Copy aria-hidden />
          {words.copy}
        </Button>
        <Button onPress={download}>
          <Download aria-hidden />
          {words.download}
        </Button>
        <Button onPress={() => print(text)}>
          <Printer aria-hidden />
          {words.print}
        </Button>
      </div>
    </Dialog>
  )
}
