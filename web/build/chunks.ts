/**
 * Groups modules into files. By default the bundler makes a file for each set of screens that shares a module: a
 * hundred files of a few hundred bytes, and on a phone's network a request takes longer than such a file.
 */
const any = (folder: string, ...names: readonly string[]) => `${folder}/(${names.join('|')})\\.`
const matching = (...kinds: readonly string[]) => new RegExp(kinds.join('|'))

const icons = 'lucide-react/dist/esm/icons'

/**
 * The frame of every screen, and what the landing page shares with those behind it, so that it waits for nothing else
 * of theirs.
 */
const base = matching(
  any('web', 'index') + 'html',
  any('web/app', 'main'),
  any('web/app/routes', 'index') + 'tsx\\?tsr-split',
  'vite/(preload-helper|modulepreload-polyfill)',
  'rolldown/runtime',
  any('web/ui', 'Tabs', 'TextField', 'NewPasswordField', 'PlatformIcon', 'Logo', 'PlanFeatures', 'one-at-a-time'),
  any('web/lib', 'platforms', 'plan', 'session'),
  any('web/features/landing', 'AuthLook', 'hash'),
  any(
    icons,
    'calendar-clock',
    'calendar-days',
    'chart-no-axes-column',
    'check',
    'clock',
    'shield-check',
    'sparkles',
    'users',
    'zap',
  ),
)

/** Modules that nearly every signed-in screen needs. */
const shell = matching(
  any('web/app', 'Shell'),
  any(
    'web/ui',
    'PageHeader',
    'RefreshButton',
    'PaidButton',
    'PaidLink',
    'Avatar',
    'Badge',
    'Card',
    'Skeleton',
    'SubscriptionBadge',
  ),
  any('web/ui', 'later', 'Select', 'SelectButton'),
  any('web/lib', 'use-agency', 'dates', 'refetch', 'watched'),
  any('web/features/dashboard', 'ask'),
  any('react-query/.*', 'useMutation'),
)

/** A module goes to the first that takes it, and what it needs goes with it. */
export const codeSplitting = {
  groups: [
    { name: 'base', priority: 5, test: base },
    { name: 'shell', priority: 4, test: shell },
    { name: 'icons', priority: 3, test: matching(icons), minShareCount: 2 },
    // The calendar and the audit show posts without the list of their cards.
    {
      name: 'posts',
      priority: 3,
      test: matching(
        any('web/ui/posts', 'status', 'StatusBadge', 'PostImage', 'PriceNote'),
        any('web/ui', 'use-near'),
        any('web/lib', 'post-actions'),
      ),
    },
    { name: 'post-list', priority: 2, test: matching(any('web/ui/posts', 'PostList')) },
    // Each further file costs the landing page its name.
    { name: 'form', priority: 1, test: matching(any('web/ui', 'form', 'ColorField')) },
    { name: 'people', priority: 1, test: matching(any('web/lib', 'team-queries', 'role-names')) },
    { name: 'clock', priority: 1, test: matching(any('web/lib', 'spring-gap', 'wall-clock')) },
    { name: 'audit-source', priority: 1, test: matching(any('web/features/audit', 'words', 'source', 'AuditTrail')) },
    { name: 'dialog', priority: 1, test: matching(any('web/ui', 'Dialog', 'FormDialog', 'ConfirmDialog')) },
  ],
}
