import { CalendarClock, ChartNoAxesColumn, ShieldCheck, Sparkles, Users, Zap } from 'lucide-react'
import { words } from './words.ts'

const { heading, text: intro, ...of } = words.features
const features = [
  { icon: Sparkles, ...of.writing },
  { icon: CalendarClock, ...of.scheduling },
  { icon: ChartNoAxesColumn, ...of.analytics },
  { icon: Users, ...of.clients },
  { icon: Zap, ...of.onboarding },
  { icon: ShieldCheck, ...of.security },
] as const

export function Features() {
  return (
    <section
      id="features"
      aria-labelledby="features-title"
      className="mx-auto max-w-page scroll-mt-4 px-4 py-20 sm:px-6"
    >
      <h2 id="features-title" className="text-3xl font-semibold tracking-tight">
        {heading}
      </h2>
      <p className="mt-2 max-w-text text-lg text-quiet">{intro}</p>
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
