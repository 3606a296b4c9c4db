import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { buttonStyle } from '../../ui/button-style.ts'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { statusWords } from './status.ts'
import type { AuditSource, Filters } from './source.ts'

interface Props {
  readonly filters: Filters
  readonly clients: readonly { readonly id: string; readonly name: string }[]
  readonly onChange: (part: Partial<Filters>) => void
  readonly source: AuditSource
}

const all = 'all'
/** How long nobody types before it is looked for. */
const quietMs = 300

export function AuditFilters({ filters, clients, onChange, source }: Props) {
  const [text, setText] = useState(filters.text)
  useEffect(() => {
    if (text === filters.text) return
    const timer = setTimeout(() => onChange({ text }), quietMs)
    return () => clearTimeout(timer)
  })
  return (
    <div className="flex flex-wrap items-end gap-3">
      <TextField label="Text" value={text} onChange={setText} placeholder="Words of a post" className="min-w-48 flex-1" />
      {clients.length > 1 && (
        <Select
          label="Client"
          options={[{ id: all, label: 'All clients' }, ...clients.map(({ id, name }) => ({ id, label: name }))]}
          value={filters.client ?? all}
          onChange={(id) => onChange({ client: id === all ? null : id })}
          className="w-44"
          testId="select-audit-client"
        />
      )}
      <Select
        label="State"
        options={[{ id: all, label: 'Any state' }, ...Object.entries(statusWords).map(([id, label]) => ({ id, label }))]}
        value={filters.status ?? all}
        onChange={(id) => onChange({ status: id in statusWords ? (id as keyof typeof statusWords) : null })}
        className="w-40"
        testId="select-audit-status"
      />
      <div className="flex gap-2">
        {(['jsonl', 'csv'] as const).map((format) => (
          <a key={format} href={source.exportUrl(filters, format)} download className={buttonStyle({ look: 'secondary' })} data-testid={`export-${format}`}>
            <Download aria-hidden />
            {format === 'csv' ? 'CSV' : 'Export'}
          </a>
        ))}
      </div>
    </div>
  )
}
