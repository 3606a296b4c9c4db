import { useState } from 'react'
import { postsWords } from '../../../lib/subscription.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { toast } from '../../../ui/toast.ts'
import { ChooseFile } from './ChooseFile.tsx'
import { ImportedRows } from './ImportedRows.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { SaveAsChoice } from './SaveAsChoice.tsx'
import { useImport, type SaveAs } from './use-import.ts'

interface Props {
  readonly clientId: string
  readonly zone: string
  readonly onClose: () => void
}

export default function ImportPosts({ clientId, zone, onClose }: Props) {
  const { step, fileName, ...importing } = useImport(clientId)
  const [saveAs, setSaveAs] = useState<SaveAs>('draft')
  const ready = step.name === 'checked' ? step.rows.filter(({ verdict }) => verdict === 'ready').length : 0
  const close = () => {
    if (step.name !== 'importing') return onClose()
    importing.stop()
    toast({
      title: 'Import stopped',
      description: 'What was imported stays. Import the same file again to go on: nothing is written twice.',
    })
    onClose()
  }
  return (
    <Dialog
      open
      onClose={close}
      width="wide"
      busy={step.name === 'importing' || step.name === 'checking'}
      title="Import Posts"
      description={
        fileName && step.name !== 'choose'
          ? fileName
          : 'Bring posts from a spreadsheet. Nothing is written before you have seen what becomes of each row.'
      }
      footer={
        <>
          {step.name === 'choose' && <Button onPress={onClose}>Cancel</Button>}
          {step.name === 'checked' && (
            <>
              <Button onPress={importing.another}>Choose Another File</Button>
              <Button
                look="primary"
                isDisabled={ready === 0}
                onPress={() => importing.start(saveAs, step.rows.length)}
                data-testid="button-start-import"
              >
                {ready === 0 ? 'Nothing to Import' : `Import ${postsWords(ready)}`}
              </Button>
            </>
          )}
          {step.name === 'importing' && <Button onPress={importing.stop}>Stop</Button>}
          {step.name === 'ended' && (
            <>
              {step.rows.length < step.total && (
                <Button onPress={() => importing.start(saveAs, step.total)}>Go On</Button>
              )}
              <Button look="primary" onPress={onClose}>
                Done
              </Button>
            </>
          )}
        </>
      }
    >
      {step.name === 'choose' && (
        <ChooseFile error={step.error} onFile={(file) => void importing.choose(file, saveAs)} />
      )}
      {step.name === 'checking' && (
        <div className="grid h-40 place-items-center">
          <Spinner label="Checking the rows" />
        </div>
      )}
      {step.name === 'checked' && (
        <div className="flex flex-col gap-5">
          <SaveAsChoice
            value={saveAs}
            onChange={(as) => {
              setSaveAs(as)
              importing.checkAgain(as)
            }}
          />
          <ImportedRows rows={step.rows} zone={zone} />
        </div>
      )}
      {step.name === 'importing' && <ImportProgress done={step.done} total={step.total} />}
      {step.name === 'ended' && (
        <div className="flex flex-col gap-5">
          {step.error !== null && (
            <p
              role="alert"
              className="rounded-control bg-rejected-soft px-3 py-2 text-rejected-ink"
            >{`It stopped after ${step.rows.length} of ${step.total} rows. ${step.error}`}</p>
          )}
          <ImportedRows rows={step.rows} zone={zone} />
        </div>
      )}
    </Dialog>
  )
}
