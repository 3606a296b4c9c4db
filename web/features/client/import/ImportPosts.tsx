import { useState } from 'react'
import type { ImportPlaces } from '../../../../api/contract/index.ts'
import { postsWords } from '../../../lib/words.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { toast } from '../../../ui/toast.ts'
import { ChooseFile } from './ChooseFile.tsx'
import { ignoredIn, isEnough } from './columns.ts'
import { IgnoredColumns } from './IgnoredColumns.tsx'
import { ImportedRows } from './ImportedRows.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { MapColumns } from './MapColumns.tsx'
import { SaveAsChoice } from './SaveAsChoice.tsx'
import { useImport, type SaveAs } from './use-import.ts'
import { words } from './words.ts'

interface Props {
  readonly clientId: string
  readonly zone: string
  readonly onClose: () => void
}

const neededId = 'columns-needed'

export default function ImportPosts({ clientId, zone, onClose }: Props) {
  const { step, fileName, header, places, ...importing } = useImport(clientId)
  const [mapped, setMapped] = useState<ImportPlaces | null>(null)
  const chosen = mapped ?? places
  const [saveAs, setSaveAs] = useState<SaveAs>('draft')
  const ready = step.name === 'checked' ? step.rows.filter(({ verdict }) => verdict === 'ready').length : 0
  const close = () => {
    if (step.name !== 'importing') return onClose()
    importing.stop()
    toast({
      title: words.stopped.title,
      description: words.stopped.text,
    })
    onClose()
  }
  return (
    <Dialog
      open
      onClose={close}
      width="wide"
      busy={step.name === 'importing' || step.name === 'checking'}
      title={words.title}
      description={fileName && step.name !== 'choose' ? fileName : words.intro}
      footer={
        <>
          {step.name === 'choose' && <Button onPress={onClose}>{words.cancel}</Button>}
          {step.name === 'columns' && (
            <>
              {/* Beside the button that waits for it: the fields scroll, and it would be below them. */}
              {!isEnough(chosen) && (
                <output
                  id={neededId}
                  className="basis-full rounded-control bg-pending-soft px-3 py-2 text-pending-ink"
                  data-testid="columns-needed"
                >
                  {words.columns.needed}
                </output>
              )}
              <Button onPress={importing.another}>{words.anotherFile}</Button>
              <Button
                look="primary"
                isDisabled={!isEnough(chosen)}
                {...(!isEnough(chosen) && { 'aria-describedby': neededId })}
                onPress={() => {
                  importing.mapColumns(chosen, saveAs)
                  setMapped(null)
                }}
                data-testid="button-check-rows"
              >
                {words.columns.check}
              </Button>
            </>
          )}
          {step.name === 'checked' && (
            <>
              <Button onPress={importing.another}>{words.anotherFile}</Button>
              <Button
                look="primary"
                isDisabled={ready === 0}
                onPress={() => importing.start(saveAs, step.rows.length)}
                data-testid="button-start-import"
              >
                {ready === 0 ? words.nothing : words.start(postsWords(ready))}
              </Button>
            </>
          )}
          {step.name === 'importing' && <Button onPress={importing.stop}>{words.stop}</Button>}
          {step.name === 'ended' && (
            <>
              {step.rows.length < step.total && (
                <Button onPress={() => importing.start(saveAs, step.total)}>{words.resume}</Button>
              )}
              <Button look="primary" onPress={onClose}>
                {words.done}
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
          <Spinner label={words.checking} />
        </div>
      )}
      {step.name === 'columns' && <MapColumns header={header} places={chosen} onChange={setMapped} />}
      {step.name === 'checked' && (
        <div className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <IgnoredColumns names={ignoredIn(header, places)} />
            <Button look="quiet" size="sm" onPress={importing.chooseColumns} data-testid="button-change-columns">
              {words.columns.change}
            </Button>
          </div>
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
            <p role="alert" className="rounded-control bg-rejected-soft px-3 py-2 text-rejected-ink">
              {words.stoppedAfter(step.rows.length, step.total, step.error)}
            </p>
          )}
          <ImportedRows rows={step.rows} zone={zone} />
        </div>
      )}
    </Dialog>
  )
}
