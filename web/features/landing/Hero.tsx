import { AnchorButton } from '../../ui/LinkButton.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ProductGlimpse } from './ProductGlimpse.tsx'

interface Props {
  readonly onStart: () => void
  readonly onSignIn: () => void
}

export function Hero({ onStart, onSignIn }: Props) {
  return (
    <section className="mx-auto grid max-w-page items-center gap-12 px-4 pt-10 pb-20 sm:px-6 lg:grid-cols-[1.05fr_1fr] lg:pt-16">
      <div>
        <h1 className="text-hero font-semibold tracking-tight">Manage your clients' social media with AI</h1>
        <p className="mt-5 max-w-text text-lg text-quiet">
          Write in each brand's own voice, get a yes, and publish on time. One calm place for up to 10 clients, so that
          nothing goes out that nobody has read.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <PlainButton look="primary" size="lg" onPress={onStart}>
            Start Free Trial
          </PlainButton>
          <PlainButton size="lg" onPress={onSignIn}>
            Sign In
          </PlainButton>
          <AnchorButton look="quiet" size="lg" href="#features">
            Learn More
          </AnchorButton>
        </div>
        <p className="mt-4 text-sm text-quiet">7-day free trial. No credit card required. Cancel anytime.</p>
      </div>
      <ProductGlimpse />
    </section>
  )
}
