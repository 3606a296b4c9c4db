import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'

export interface TabItem {
  readonly id: string
  readonly label: string
  readonly count?: number | undefined
  readonly content: ReactNode
}

interface Props {
  readonly label: string
  readonly tabs: readonly TabItem[]
  readonly value: string
  readonly onChange: (id: string) => void
}

export function Tabs({ label, tabs, value, onChange }: Props) {
  return (
    <AriaTabs selectedKey={value} onSelectionChange={(key) => onChange(String(key))} className="flex flex-col gap-5">
      <TabList
        aria-label={label}
        items={tabs}
        className="-mx-1 flex gap-1 overflow-x-auto border-b border-line px-1 [scrollbar-width:none]"
        dependencies={[tabs]}
      >
        {(tab) => (
          <Tab
            id={tab.id}
            className="relative flex cursor-default items-center gap-2 rounded-t-control px-3 py-2.5 font-medium whitespace-nowrap text-quiet transition-colors -outline-offset-2 after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 after:rounded-full after:bg-accent-ink after:opacity-0 hover:text-ink selected:text-ink selected:after:opacity-100"
          >
            {tab.label}
            {tab.count !== undefined && <span className="tabular -ml-1 text-quiet">{`(${tab.count})`}</span>}
          </Tab>
        )}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="outline-offset-4">
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
