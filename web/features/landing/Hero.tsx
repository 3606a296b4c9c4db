import { AnchorButton } from '../../ui/LinkButton.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ProductGlimpse } from './ProductGlimpse.tsx'
import { words } from './words.ts'

interface Props {
  readonly onStart: () => void
  readonly onSignIn: () => void
}

export function Hero({ onStart, onSignIn }: Props) {
  return (
    <section className="mx-auto grid max-w-page items-center gap-12 px-4 pt-10 pb-20 sm:px-6 lg:grid-cols-[1.05fr_1fr] lg:pt-16">
      <div>
        <h1 className="text-hero font-semibold tracking-tight">{words.hero.heading}</h1>
        <p className="mt-5 max-w-text text-lg text-quiet">{words.hero.text}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          <PlainButton look="primary" size="lg" onPress={onStart}>
            {words.hero.start}
          </PlainButton>
          <PlainButton size="lg" onPress={onSignIn}>
            {words.hero.signIn}
          </PlainButton>
          <AnchorButton look="quiet" size="lg" href="#features">
            {words.hero.more}
          </AnchorButton>
        </div>
        <p className="mt-4 text-sm text-quiet">{words.hero.terms}</p>
      </div>
      <ProductGlimpse />
    </section>
  )
}
