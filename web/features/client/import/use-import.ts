/** A file of posts on its way: checked first, then written in portions, so that it can be told how far it is. */
import { useRef, useState } from 'react'
import { maxImportBytes, type ImportRow } from '../../../../api/contract/index.ts'
import { callWithFile } from '../../../lib/call.ts'
import { errorText } from '../../../lib/error-text.ts'
import { afterPostChange } from '../../../lib/refetch.ts'

export type SaveAs = 'draft' | 'pending'

export type Step =
  | { readonly name: 'choose'; readonly error: string | null }
  | { readonly name: 'checking' }
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
  const stopping = useRef(false)

  const send = (
    content: Blob,
    query: {
      readonly dryRun: 'true' | 'false'
      readonly status: SaveAs
      readonly from?: string
      readonly count?: string
    },
  ) => callWithFile('POST /api/clients/{id}/posts/import', content, { params: { id: clientId }, query })

  async function check(content: Blob, status: SaveAs): Promise<void> {
    setStep({ name: 'checking' })
    try {
      const { rows } = await send(content, { dryRun: 'true', status })
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
          error: `This file is larger than ${maxImportBytes / 1024 / 1024} MB. Split it, then import the parts.`,
        })
      if (chosen.size === 0)
        return setStep({
          name: 'choose',
          error: 'This file is empty. The first line names the columns, each further line is a post.',
        })
      try {
        // Reads the file once: the import writes what was checked, even if the file changes meanwhile.
        const content = new Blob([await chosen.arrayBuffer()], { type: 'text/csv' })
        setFile({ name: chosen.name, content })
        await check(content, status)
      } catch {
        setStep({ name: 'choose', error: 'This file could not be read. Choose it again.' })
      }
    },
    checkAgain: (status: SaveAs) => file && void check(file.content, status),
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
