/** A file of posts on its way: checked first, then written in portions, so that it can be told how far it is. */
import { useRef, useState } from 'react'
import { maxImportBytes, type ImportHeader, type ImportPlaces, type ImportRow } from '../../../../api/contract/index.ts'
import { callWithFile } from '../../../lib/call.ts'
import { errorText } from '../../../lib/error-text.ts'
import { afterPostChange } from '../../../lib/refetch.ts'
import { guessOf, ignoredIn, isEnough, placesText } from './columns.ts'
import { words } from './words.ts'

export type SaveAs = 'draft' | 'pending'

export type Step =
  | { readonly name: 'choose'; readonly error: string | null }
  | { readonly name: 'checking' }
  | { readonly name: 'columns' }
  | { readonly name: 'checked'; readonly rows: readonly ImportRow[] }
  | { readonly name: 'importing'; readonly done: number; readonly total: number }
  /** `error`: why it stopped before its end. */
  | {
      readonly name: 'ended'
      readonly rows: readonly ImportRow[]
      readonly total: number
      readonly error: string | null
    }

const batch = 50

export function useImport(clientId: string) {
  const [step, setStep] = useState<Step>({ name: 'choose', error: null })
  const [file, setFile] = useState<{ readonly name: string; readonly content: Blob } | null>(null)
  const [header, setHeader] = useState<ImportHeader['header']>([])
  const [places, setPlaces] = useState<ImportPlaces>({})
  const stopping = useRef(false)

  const send = (
    content: Blob,
    query: {
      readonly dryRun: 'true' | 'false'
      readonly status: SaveAs
      readonly columns: string
      readonly from?: string
      readonly count?: string
    },
  ) => callWithFile('POST /api/clients/{id}/posts/import', content, { params: { id: clientId }, query })

  /** A file whose columns all have known names is checked at once. */
  async function read(content: Blob, status: SaveAs): Promise<void> {
    setStep({ name: 'checking' })
    try {
      const found = await callWithFile('POST /api/clients/{id}/posts/import/columns', content, {
        params: { id: clientId },
      })
      const guess = guessOf(found)
      setHeader(found.header)
      setPlaces(guess)
      if (isEnough(guess) && ignoredIn(found.header, guess).length === 0) await check(content, status, guess)
      else setStep({ name: 'columns' })
    } catch (error) {
      setStep({ name: 'choose', error: errorText(error) })
    }
  }

  async function check(content: Blob, status: SaveAs, chosen: ImportPlaces): Promise<void> {
    setStep({ name: 'checking' })
    try {
      const { rows } = await send(content, { dryRun: 'true', status, columns: placesText(chosen) })
      setStep({ name: 'checked', rows })
    } catch (error) {
      setStep({ name: 'choose', error: errorText(error) })
    }
  }

  return {
    step,
    fileName: file?.name ?? null,
    async choose(chosen: File, status: SaveAs) {
      if (chosen.size > maxImportBytes)
        return setStep({
          name: 'choose',
          error: words.file.tooLarge(maxImportBytes / 1024 / 1024),
        })
      if (chosen.size === 0)
        return setStep({
          name: 'choose',
          error: words.file.empty,
        })
      try {
        // Reads the file once: the import writes what was checked, even if the file changes meanwhile.
        const content = new Blob([await chosen.arrayBuffer()], { type: 'text/csv' })
        setFile({ name: chosen.name, content })
        await read(content, status)
      } catch {
        setStep({ name: 'choose', error: words.file.unreadable })
      }
    },
    header,
    places,
    checkAgain: (status: SaveAs) => file && void check(file.content, status, places),
    chooseColumns: () => setStep({ name: 'columns' }),
    /** Checks the rows by other columns. */
    mapColumns(chosen: ImportPlaces, status: SaveAs) {
      setPlaces(chosen)
      if (file) void check(file.content, status, chosen)
    },
    another: () => setStep({ name: 'choose', error: null }),
    stop: () => {
      stopping.current = true
    },
    async start(status: SaveAs, total: number) {
      if (!file) return
      stopping.current = false
      const rows: ImportRow[] = []
      let error: string | null = null
      setStep({ name: 'importing', done: 0, total })
      while (rows.length < total && !stopping.current && error === null) {
        try {
          const answer = await send(file.content, {
            dryRun: 'false',
            status,
            columns: placesText(places),
            from: String(rows.length),
            count: String(batch),
          })
          rows.push(...answer.rows)
          if (answer.rows.length === 0) break
          setStep({ name: 'importing', done: rows.length, total })
        } catch (failure) {
          error = errorText(failure)
        }
      }
      await afterPostChange()
      setStep({ name: 'ended', rows, total, error })
    },
  }
}
