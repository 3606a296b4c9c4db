import { CalendarClock, ChartNoAxesColumn, ShieldCheck, Sparkles, Users, Zap } from 'lucide-react'

const features = [
  {
    icon: Sparkles,
    title: 'AI content generation',
    text: "Drafts tailored to each client's brand voice, audience and industry. You keep the last word.",
  },
  {
    icon: CalendarClock,
    title: 'Smart scheduling',
    text: 'Customizable times and frequencies for every account. Drag a post to another day and its time of day stays.',
  },
  {
    icon: ChartNoAxesColumn,
    title: 'Analytics dashboard',
    text: 'Views, likes, comments and shares across all your clients, by network and by brand.',
  },
  {
    icon: Users,
    title: 'Up to 10 clients',
    text: 'Each with its own branding, social accounts and content strategy. Nothing gets mixed up.',
  },
  { icon: Zap, title: 'Fast onboarding', text: 'Add a client, connect an account and plan the first post in minutes.' },
  {
    icon: ShieldCheck,
    title: 'Secure and reliable',
    text: '99.9% uptime and automatic backups. Every change to a post is kept, so you can show who approved what.',
  },
] as const

export function Features() {
  return (
    <section
      id="features"
      aria-labelledby="features-title"
      className="mx-auto max-w-page scroll-mt-4 px-4 py-20 sm:px-6"
    >
      <h2 id="features-title" className="text-3xl font-semibold tracking-tight">
        From first draft to live post
      </h2>
      <p className="mt-2 max-w-text text-lg text-quiet">What an agency does all day, without ten tabs open.</p>
      <ul className="mt-10 grid gap-x-10 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ icon: Icon, title, text }) => (
          <li key={title} data-testid="feature-card">
            <span
              aria-hidden
              className="mb-4 grid size-10 place-items-center rounded-card bg-accent-soft text-accent-ink"
            >
              <Icon className="size-5" />
            </span>
            <h3 className="text-lg font-semibold">{title}</h3>
            <p className="mt-1 text-quiet">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
