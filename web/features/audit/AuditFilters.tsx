import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AuditPerson } from '../../../api/contract/index.ts'
import { buttonStyle } from '../../ui/button-style.ts'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { AuditSource, Filters } from './source.ts'
import { words } from './words.ts'

interface Props {
  readonly filters: Filters
  readonly clients: readonly { readonly id: string; readonly name: string }[]
  readonly people: readonly AuditPerson[]
  /** The list of clients shows in any case: also while they are loaded, so that nothing moves. */
  readonly choosesClient: boolean
  readonly onChange: (part: Partial<Filters>) => void
  readonly source: AuditSource
  readonly zone: string
}

const all = 'all'
/** The pause in typing after which the search starts. */
const quietMs = 300

export function AuditFilters({ filters, clients, people, choosesClient, onChange, source, zone }: Props) {
  const [text, setText] = useState(filters.text)
  useEffect(() => {
    if (text === filters.text) return
    const timer = setTimeout(() => onChange({ text }), quietMs)
    return () => clearTimeout(timer)
  })
  return (
    <div className="flex flex-wrap items-end gap-3">
      <TextField
        label={words.text}
        value={text}
        onChange={setText}
        placeholder={words.textExample}
        className="min-w-48 flex-1"
      />
      {(choosesClient || clients.length > 1) && (
        <Select
          label={words.client}
          options={[{ id: all, label: words.allClients }, ...clients.map(({ id, name }) => ({ id, label: name }))]}
          value={filters.client ?? all}
          onChange={(id) => onChange({ client: id === all ? null : id })}
          className="w-44"
          testId="select-audit-client"
        />
      )}
      <Select
        label={words.state}
        options={[
          { id: all, label: words.anyState },
          ...Object.entries(words.statuses).map(([id, label]) => ({ id, label })),
        ]}
        value={filters.status ?? all}
        onChange={(id) => onChange({ status: id in words.statuses ? (id as keyof typeof words.statuses) : null })}
        className="w-40"
        testId="select-audit-status"
      />
      {people.length > 1 && (
        <Select
          label={words.person}
          options={[
            { id: all, label: words.anyPerson },
            ...people.map((each) => ({ id: each.id, label: words.personName(each) })),
          ]}
          value={filters.person ?? all}
          onChange={(id) => onChange({ person: id === all ? null : id })}
          className="w-44"
          testId="select-audit-person"
        />
      )}
      <TextField
        label={words.from}
        type="date"
        value={filters.from}
        onChange={(from) => onChange({ from })}
        className="w-40"
      />
      <TextField
        label={words.until}
        type="date"
        value={filters.to}
        onChange={(to) => onChange({ to })}
        className="w-40"
      />
      <div className="flex gap-2">
        <Export filters={filters} source={source} zone={zone} format="jsonl">
          {words.jsonLines}
        </Export>
        <Export filters={filters} source={source} zone={zone} format="csv">
          {words.csv}
        </Export>
      </div>
    </div>
  )
}

interface ExportProps extends Pick<Props, 'filters' | 'source' | 'zone'> {
  readonly format: 'jsonl' | 'csv'
  readonly children: string
}

/** Every event of what client, state and time let through, as a signed file. */
function Export({ filters, source, zone, format, children }: ExportProps) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let isGone = false
    void source.exportUrl(filters, format, zone).then((made) => isGone || setUrl(made))
    return () => {
      isGone = true
    }
  }, [source, filters, format, zone])
  return (
    <a
      {...(url !== null && { href: url })}
      download
      className={buttonStyle({ look: 'secondary' })}
      data-testid={`export-${format}`}
      aria-label={words.exportAs(children)}
    >
      <Download aria-hidden />
      {children}
    </a>
  )
}
