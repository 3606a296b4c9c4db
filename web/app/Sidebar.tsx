import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import {
  CalendarDays,
  ChartNoAxesColumn,
  CreditCard,
  FileText,
  LayoutDashboard,
  LogOut,
  Settings,
  Users,
} from 'lucide-react'
import { useChosenClient } from '../lib/chosen-client.ts'
import { endSession } from '../lib/session.ts'
import { userQuery } from '../lib/access-queries.ts'
import { failedPostsQuery } from '../lib/queries.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { LogoMark } from '../ui/Logo.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { words } from './words.ts'

const entries = [
  { title: words.screens.dashboard, to: '/', icon: LayoutDashboard },
  { title: words.screens.clients, to: '/clients', icon: Users },
  { title: words.screens.content, to: '/content', icon: FileText },
  { title: words.screens.calendar, to: '/calendar', icon: CalendarDays },
  { title: words.screens.analytics, to: '/analytics', icon: ChartNoAxesColumn },
  { title: words.screens.billing, to: '/billing', icon: CreditCard },
  { title: words.screens.settings, to: '/settings', icon: Settings },
] as const

const entryStyle =
  'relative flex h-8 items-center gap-2.5 overflow-hidden rounded-control px-2 font-medium whitespace-nowrap text-quiet transition-colors hover:bg-n3 hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent-ink'

interface Props {
  readonly collapsed?: boolean
  readonly onNavigate?: () => void
}

export function Sidebar({ collapsed = false, onNavigate }: Props) {
  const chosen = useChosenClient()
  const failed = useQuery(failedPostsQuery).data ?? 0
  // The audit has no entry of its own: it belongs to the settings.
  const isAudit = useLocation({ select: ({ pathname }) => pathname === '/audit' })
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-16 items-center gap-2.5 overflow-hidden px-2.5">
        <LogoMark className="size-7" />
        <div className={`min-w-0 whitespace-nowrap ${collapsed ? 'invisible' : ''}`}>
          <p className="leading-tight font-semibold">{words.product}</p>
          <p className="text-xs text-quiet">{words.subtitle}</p>
        </div>
      </div>
      <nav aria-label={words.platform} className="flex-1 overflow-x-hidden overflow-y-auto px-2 py-2">
        <p className={`px-2 pb-1.5 text-xs font-medium whitespace-nowrap text-quiet ${collapsed ? 'sr-only' : ''}`}>
          {words.platform}
        </p>
        <ul className="flex flex-col gap-0.5">
          {entries.map(({ title, to, icon: Icon }) => (
            <li key={to}>
              <Tooltip text={title} delay={0} placement="right" disabled={!collapsed}>
                <Link
                  to={to}
                  search={chosen.searchOf(to)}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  className={entryStyle}
                  data-testid={`nav-${title.toLowerCase()}`}
                  {...(onNavigate && { onClick: onNavigate })}
                  {...(isAudit && to === '/settings' && { 'aria-current': true })}
                >
                  <Icon aria-hidden className="size-4 shrink-0" />
                  <span className={collapsed ? 'sr-only' : ''}>{title}</span>
                  {to === '/' && failed > 0 && (
                    // The entry keeps its name: the dashboard says what failed.
                    <span
                      aria-hidden
                      data-testid="badge-failed"
                      className={
                        collapsed
                          ? 'absolute top-0.5 right-0.5 size-2 rounded-full bg-rejected'
                          : 'tabular ml-auto min-w-5 rounded-full bg-danger px-1.5 text-center text-xs leading-5 text-white'
                      }
                    >
                      {collapsed ? '' : failed}
                    </span>
                  )}
                </Link>
              </Tooltip>
            </li>
          ))}
        </ul>
      </nav>
      <Footer collapsed={collapsed} />
    </div>
  )
}

function Footer({ collapsed }: { readonly collapsed: boolean }) {
  const { data: user } = useQuery(userQuery)
  const email = user?.email || words.unknownUser
  return (
    <div
      className={`flex border-t border-line p-2 ${collapsed ? 'flex-col items-center gap-1' : 'items-center gap-2.5 p-3'}`}
    >
      <Avatar name={user?.email || 'U'} image={user?.profileImageUrl ?? null} size="sm" round />
      <span
        className={`min-w-0 flex-1 truncate text-sm ${collapsed ? 'sr-only' : ''}`}
        title={email}
        data-testid="text-user-email"
      >
        {email}
      </span>
      <Tooltip text={words.signOut} delay={0} placement={collapsed ? 'right' : 'top'}>
        <a
          href="/api/logout"
          onClick={endSession}
          onAuxClick={endSession}
          data-testid="button-logout"
          aria-label={words.signOut}
          className="grid size-8 shrink-0 place-items-center rounded-control text-quiet hover:bg-n3 hover:text-ink"
        >
          <LogOut aria-hidden className="size-4" />
        </a>
      </Tooltip>
    </div>
  )
}
