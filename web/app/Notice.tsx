/** The bar above every screen that states the trial and the subscription where the user must act. */
import { useLocation } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import { noticeOf, type Notice as Said } from '../lib/subscription.ts'
import { useAgency } from '../lib/use-agency.ts'
import { useNow } from '../lib/use-now.ts'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { words } from './words.ts'

const tones: Readonly<Record<Said['tone'], string>> = {
  info: 'bg-accent-soft text-accent-ink',
  warning: 'bg-pending-soft text-pending-ink',
  blocked: 'bg-rejected-soft text-rejected-ink',
}

const store = 'notice-put-away'

export function Notice() {
  const agency = useAgency()
  const isBilling = useLocation({ select: ({ pathname }) => pathname === '/billing' })
  const now = useNow()
  const [putAway, setPutAway] = useState(() => localStorage.getItem(store))
  const notice = agency && noticeOf(agency, now)
  if (!notice || (isBilling && notice.isOnBilling) || (notice.putAwayAs !== undefined && notice.putAwayAs === putAway))
    return null
  const { tone, sentence, meaning, act, putAwayAs } = notice
  const onPutAway = (name: string) => {
    localStorage.setItem(store, name)
    setPutAway(name)
  }
  return (
    <section
      aria-label={words.notice}
      data-testid="notice"
      data-tone={tone}
      className={`flex items-center gap-x-2 gap-y-1 border-b border-line px-4 py-1.5 max-sm:items-start sm:min-h-10 ${tones[tone]}`}
    >
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <output className="min-w-0">
          <span className="font-medium">{sentence}</span>
          {meaning !== undefined && ` ${meaning}`}
        </output>
        {!isBilling && (
          <LinkButton to="/billing" look="link" size="inline" className="py-1 font-semibold text-current! underline">
            {act}
          </LinkButton>
        )}
      </div>
      {putAwayAs !== undefined && (
        <Button
          look="quiet"
          size="icon"
          className="-mr-2 text-current!"
          aria-label={words.dismiss}
          onPress={() => onPutAway(putAwayAs)}
        >
          <X aria-hidden />
        </Button>
      )}
    </section>
  )
}
