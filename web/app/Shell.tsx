import { useLocation } from '@tanstack/react-router'
import { ChevronsUpDown, Keyboard, PanelLeft, Search, SunMoon } from 'lucide-react'
import { Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { followOtherTabs } from '../lib/other-agency.ts'
import { lazyPart } from '../lib/lazy-part.tsx'
import { useAgency } from '../lib/use-agency.ts'
import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { ConfirmAddress } from './ConfirmAddress.tsx'
import { FactorBanner } from './FactorBanner.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { Notice } from './Notice.tsx'
import { Sidebar } from './Sidebar.tsx'
import { isMac, usePaletteKey, useShortcuts } from './shortcuts.ts'
import { useSidebar } from './sidebar-state.ts'
import { useScreensPreload } from './use-screens-preload.ts'
import { useLiveUpdatesStream } from './use-live-updates-stream.ts'
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import { words } from './words.ts'

const SidebarSheet = lazyDialog(() => import('./SidebarSheet.tsx'))
const Palette = lazyDialog(() => import('./palette/Palette.tsx'))
const AgencyMenu = lazyDialog(() => import('./AgencyMenu.tsx'))
const ThemeMenu = lazyDialog(() => import('./theme/ThemeMenu.tsx'))
const AddFactorFirst = lazyPart(() => import('./AddFactorFirst.tsx'))
const ShortcutsDialog = lazyDialog(() => import('./help/ShortcutsDialog.tsx'))

interface Props {
  readonly children: ReactNode
}

export default function Shell({ children }: Props) {
  if (useAgency()?.isSecondFactorOverdue) return <AddFactorFirst />
  return <Screens>{children}</Screens>
}

function Screens({ children }: Props) {
  const sidebar = useSidebar()
  const main = useFocusOnArrival()
  const [helping, setHelping] = useState(false)
  const [searching, setSearching] = useState(false)
  const agency = useAgency()
  const openings = useOpenings(sidebar.isSheetOpen)
  useEffect(followOtherTabs, [])
  useLiveUpdatesStream()
  useScreensPreload()
  useShortcuts(useCallback(() => setHelping(true), []))
  usePaletteKey(useCallback(() => setSearching(true), []))
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-float px-3 py-2 font-medium shadow-float focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:px-3 focus:py-2"
      >
        {words.skip}
      </a>
      {sidebar.isPhone ? (
        openings > 0 && (
          <SidebarSheet key={openings} open={sidebar.isSheetOpen} onClose={() => sidebar.setSheetOpen(false)} />
        )
      ) : (
        <aside
          data-testid="sidebar"
          data-state={sidebar.isOpen ? 'expanded' : 'collapsed'}
          className={`sticky top-0 h-dvh shrink-0 overflow-hidden border-r border-line bg-surface transition-[width] ${sidebar.isOpen ? 'w-[16rem]' : 'w-[3rem]'}`}
        >
          <Sidebar collapsed={!sidebar.isOpen} />
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <ConnectionBanner />
        <Notice />
        <ConfirmAddress />
        <FactorBanner />
        <header className="sticky top-0 z-20 flex h-12 items-center gap-1 border-b border-line bg-canvas/85 px-2 backdrop-blur">
          <Button
            look="quiet"
            size="icon"
            onPress={sidebar.toggle}
            aria-label={words.toggleSidebar}
            aria-expanded={sidebar.isPhone ? sidebar.isSheetOpen : sidebar.isOpen}
            data-testid="button-sidebar-toggle"
          >
            <PanelLeft aria-hidden />
          </Button>
          <AgencyName name={agency?.name ?? ''} />
          <Button
            size="sm"
            onPress={() => setSearching(true)}
            aria-label={words.palette}
            aria-keyshortcuts="Control+K Meta+K"
            className="text-quiet! max-sm:size-8 max-sm:border-transparent max-sm:bg-transparent max-sm:px-0 max-sm:shadow-none"
            data-testid="button-palette"
          >
            <Search aria-hidden />
            <span className="max-sm:hidden">{words.search}</span>
            <kbd className="font-sans text-xs max-sm:hidden pointer-coarse:hidden">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
          </Button>
          <ThemeButton />
          <Button
            look="quiet"
            size="icon"
            onPress={() => setHelping(true)}
            aria-label={words.shortcuts}
            className="pointer-coarse:hidden"
            data-testid="button-shortcuts"
          >
            <Keyboard aria-hidden />
          </Button>
        </header>
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="mx-auto w-full max-w-page flex-1 px-4 py-6 has-[>[data-fills]]:flex has-[>[data-fills]]:flex-col sm:px-6 sm:py-8"
        >
          <Suspense
            fallback={
              <div className="grid place-items-center py-24 text-accent-ink">
                <Spinner size="lg" />
              </div>
            }
          >
            {children}
          </Suspense>
        </main>
      </div>
      {searching && <Palette onClose={() => setSearching(false)} />}
      {helping && <ShortcutsDialog onClose={() => setHelping(false)} />}
    </div>
  )
}

function AgencyName({ name }: { readonly name: string }) {
  const trigger = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <span ref={trigger} className="mr-auto flex min-w-0">
      <Button
        look="quiet"
        size="sm"
        className="min-w-0 shrink! text-base! font-medium! text-ink!"
        onPress={() => setOpen(true)}
        aria-label={words.openAgencies(name)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-testid="button-agencies"
      >
        <span dir="auto" className="truncate" data-testid="text-agency">
          {name}
        </span>
        <ChevronsUpDown aria-hidden className="text-quiet" />
      </Button>
      {isOpen && <AgencyMenu trigger={trigger} onClose={() => setOpen(false)} />}
    </span>
  )
}

function ThemeButton() {
  const trigger = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <span ref={trigger}>
      <Button
        look="quiet"
        size="icon"
        onPress={() => setOpen(true)}
        aria-label={words.theme}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-testid="button-theme"
      >
        <SunMoon aria-hidden />
      </Button>
      {isOpen && <ThemeMenu trigger={trigger} onClose={() => setOpen(false)} />}
    </span>
  )
}

/**
 * Counts how often the dialog was opened: it is not mounted before the first time, stays mounted to slide out, and
 * starts anew each time.
 */
function useOpenings(isOpen: boolean): number {
  const [seen, setSeen] = useState({ isOpen: false, count: 0 })
  if (seen.isOpen !== isOpen) setSeen({ isOpen, count: seen.count + Number(isOpen) })
  return seen.count
}

/** After a change of screen the keyboard and the screen reader start at its top. */
function useFocusOnArrival() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const main = useRef<HTMLElement>(null)
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
