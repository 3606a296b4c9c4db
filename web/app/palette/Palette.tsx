/** Screens, clients, posts and what can be begun, by typing. */
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Building2, CornerDownLeft, FileText, Monitor, Plus, Search, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Dialog } from 'react-aria-components/Dialog'
import { Header } from 'react-aria-components/Header'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { TextField } from 'react-aria-components/TextField'
import type { Client, PostCard } from '../../../api/contract/index.ts'
import { useMay } from '../../lib/use-agency.ts'
import { chosenClient } from '../../lib/chosen-client.ts'
import { clientsQuery } from '../../lib/queries.ts'
import { optionStyle } from '../../ui/field.ts'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { statusLabel } from '../../ui/posts/status.ts'
import { actionsOf, clientsOf, screensOf, type Entry, type Target } from './entries.ts'
import { maxTyped, usePostSearch } from './use-post-search.ts'
import { words } from './words.ts'

export default function Palette({ onClose }: { readonly onClose: () => void }) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] place-items-start justify-items-center bg-scrim p-3 sm:pt-[14dvh] entering:animate-in entering:fade-in-0 entering:duration-120"
    >
      <Modal className="w-full max-w-dialog rounded-dialog bg-float shadow-float outline-none">
        <Dialog aria-label={words.title} data-testid="palette" className="outline-none">
          <Contents onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Contents({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const clients = useQuery(clientsQuery).data ?? []
  const chosen = useClientOfScreen()
  const rights = { composes: useMay('writer'), addsClients: useMay('admin') }
  const search = usePostSearch(typed)
  const go = useGo(onClose, setTyped)
  const sections = [
    { title: words.actions, icon: Plus, entries: actionsOf(clients, chosen, typed, rights) },
    { title: words.clients, icon: Building2, entries: clientsOf(clients, typed) },
    { title: words.screens, icon: Monitor, entries: screensOf(typed) },
  ].filter(({ entries }) => entries.length > 0)
  const targets = new Map(sections.flatMap(({ entries }) => entries.map(({ id, target }) => [id, target])))
  for (const { id, clientId } of search.posts) targets.set(`post ${id}`, { to: 'post', clientId, postId: id })
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <TextField aria-label={words.title} className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden className="size-4 shrink-0 text-quiet" />
        <Input
          // The dialog opens for typing.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          // Says that the list is reached with the arrows, from here.
          {...{ role: 'combobox', 'aria-expanded': true }}
          maxLength={maxTyped}
          placeholder={words.placeholder}
          className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none"
          data-testid="palette-input"
        />
      </TextField>
      <ListBox
        aria-label={words.results}
        onAction={(key) => {
          const target = targets.get(String(key))
          if (target) go(target)
        }}
        renderEmptyState={() => (
          <p className="px-2.5 py-6 text-center text-quiet">{search.state === 'found' ? words.nothing : ''}</p>
        )}
        className="max-h-[min(60dvh,26rem)] overflow-y-auto p-1.5 outline-none"
      >
        {sections.map(({ title, icon, entries }) => (
          <Section key={title} title={title}>
            {entries.map((entry) => (
              <Option key={entry.id} entry={entry} icon={icon} />
            ))}
          </Section>
        ))}
        {search.posts.length > 0 && (
          <Section title={words.posts}>
            {search.posts.map((post) => (
              <PostOption key={post.id} post={post} client={clients.find(({ id }) => id === post.clientId)} />
            ))}
          </Section>
        )}
      </ListBox>
      <output className="flex min-h-9 items-center gap-2 border-t border-line px-4 py-2 text-sm text-quiet">
        {said[search.state]}
      </output>
    </Autocomplete>
  )
}

const said = { idle: words.hint, searching: words.searching, found: words.keys, failed: words.failed } as const

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <ListBoxSection id={title} className="mb-1">
      <Header className="px-2.5 pt-2 pb-1 text-xs font-medium text-quiet">{title}</Header>
      {children}
    </ListBoxSection>
  )
}

function Option({ entry: { id, label, note }, icon: Icon }: { readonly entry: Entry; readonly icon: LucideIcon }) {
  return (
    <ListBoxItem id={id} textValue={label} className={`group ${optionStyle}`} data-testid="palette-option">
      <Icon aria-hidden className="size-4 text-quiet" />
      <span dir="auto" className="min-w-0 truncate">
        {label}
      </span>
      {note !== undefined && (
        <span dir="auto" className="min-w-0 flex-1 truncate text-sm text-quiet">
          {note}
        </span>
      )}
      <CornerDownLeft aria-hidden className="ml-auto size-3.5 text-quiet opacity-0 group-focused:opacity-100" />
    </ListBoxItem>
  )
}

function PostOption({ post, client }: { readonly post: PostCard; readonly client: Client | undefined }) {
  return (
    <ListBoxItem
      id={`post ${post.id}`}
      textValue={post.excerpt}
      className={`group ${optionStyle}`}
      data-testid="palette-post"
    >
      {post.excerpt === '' ? <FileText aria-hidden className="size-4 text-quiet" /> : null}
      <PlatformIcon platform={post.platform} named className="size-4" />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {post.excerpt}
      </span>
      <span className="max-w-[40%] truncate text-sm text-quiet">
        {[client?.name, statusLabel[post.status]].filter(Boolean).join(' · ')}
      </span>
    </ListBoxItem>
  )
}

/** The client that the open screen shows. */
function useClientOfScreen(): string | undefined {
  return useLocation({
    select: ({ pathname, search }) => {
      const { client } = search as { readonly client?: unknown }
      return /^\/clients\/([^/]+)/.exec(pathname)?.[1] ?? (typeof client === 'string' ? client : undefined)
    },
  })
}

function useGo(onClose: () => void, setTyped: (text: string) => void): (target: Target) => void {
  const navigate = useNavigate()
  return (target) => {
    if (target.to === 'choose-client') return setTyped(`${words.newPost} `)
    onClose()
    switch (target.to) {
      case 'screen':
        return void navigate({ to: target.path, search: chosenClient.searchOf(target.path) })
      case 'client':
        return void navigate({ to: '/clients/$id', params: { id: target.clientId } })
      case 'compose':
        return void navigate({
          to: '/clients/$id',
          params: { id: target.clientId },
          search: { tab: 'posts', compose: true },
        })
      case 'post':
        return void navigate({
          to: '/content/$post',
          params: { post: target.postId },
          search: { client: target.clientId },
        })
      case 'new-client':
        return void navigate({ to: '/clients', search: { add: true } })
    }
  }
}
