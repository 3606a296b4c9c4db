/**
 * Class names by variant: what a component looks like in each of its kinds. A library for it would weigh more than
 * the buttons.
 */
type Choices = Readonly<Record<string, Readonly<Record<string, string>>>>
type Choice<Option> = Option extends 'true' ? true | false : Option
type Chosen<V extends Choices> = { readonly [Name in keyof V]?: Choice<keyof V[Name]> | undefined }

interface Config<V extends Choices> {
  readonly base: string
  readonly variants: V
  readonly defaults?: Chosen<V>
}

export type StyleOf<F> = F extends (chosen?: infer P) => string ? Omit<NonNullable<P>, 'className'> : never

export function variants<const V extends Choices>({ base, variants: kinds, defaults }: Config<V>) {
  return (chosen?: Chosen<V> & { readonly className?: string | undefined }): string => {
    const classes = [base]
    for (const name of Object.keys(kinds)) classes.push(kinds[name]?.[String(chosen?.[name] ?? defaults?.[name])] ?? '')
    classes.push(chosen?.className ?? '')
    return classes.filter(Boolean).join(' ')
  }
}
