/**
 * The template writer's post shapes. They ask, invite and quote the client's own words, and state nothing that was not
 * given. A topic stands at a sentence's start or after a colon, so that its capitals fit.
 */

export type Voice = 'plain' | 'friendly' | 'bold'

export interface Facts {
  readonly name: string
  /** Null: no topic was given. */
  readonly topic: string | null
  readonly audience: string | null
  readonly industry: string | null
  /** The first sentences of the client's description, short enough for the platform. */
  readonly about: string | null
  readonly voice: Voice
}

export interface Outline {
  readonly lead: string
  /** By importance: the last is omitted first when space is short. */
  readonly middle: readonly string[]
  readonly close: string
}

export type Pick = <T>(options: readonly [T, ...T[]]) => T
export type Shape = (facts: Facts, pick: Pick) => Outline | null

export const invitations: Readonly<Record<Voice, readonly [string, ...string[]]>> = {
  plain: ['We look forward to your thoughts in the comments.', 'What is your experience?', 'How do you see it?'],
  friendly: ['Tell us in the comments 💬', 'We would love to hear from you 👋', 'What do you think? Tell us below 😊'],
  bold: ['Share your view.', 'Tell us in the comments.', 'We want to hear from you.'],
}
const greetings: Readonly<Record<Voice, readonly [string, ...string[]]>> = {
  plain: ['New here?', 'Welcome.'],
  friendly: ['Hi there 👋', 'New here? Hello!'],
  bold: ['Hello.', 'New here?'],
}

const answers: readonly [string, ...string[]] = [
  'Tell us in the comments.',
  'Leave your answer below.',
  'Your answer is welcome below.',
]

const invite = (facts: Facts, pick: Pick) => pick(invitations[facts.voice])
const ownWords = ({ about, industry }: Facts): string[] =>
  about !== null ? [about] : industry !== null ? [`${industry} is what we do.`] : []
const ended = (text: string) => (/[.!?…]$/u.test(text) ? text : `${text}.`)
/** A topic that already ends as a question gets no other punctuation. */
const open = (topic: string) => !/[.!?…]$/u.test(topic)

const withTopic: readonly Shape[] = [
  (facts, pick) =>
    facts.topic !== null && open(facts.topic)
      ? {
          lead: `${facts.topic}: ${pick(['what matters most to you?', 'what would you like to know?', 'what are you looking forward to?'])}`,
          middle: ownWords(facts),
          close: invite(facts, pick),
        }
      : null,
  (facts, pick) =>
    facts.topic === null
      ? null
      : {
          lead: `${pick(['This week at', 'Today at', 'A note from'])} ${facts.name}: ${ended(facts.topic)}`,
          middle: ownWords(facts),
          close: invite(facts, pick),
        },
  (facts, pick) =>
    facts.topic === null
      ? null
      : {
          lead: ended(facts.topic),
          middle: [
            ...ownWords(facts),
            pick(['Save this post for later.', 'Know somebody who would like this? Share it with them.']),
          ],
          close: invite(facts, pick),
        },
  (facts, pick) =>
    facts.topic === null
      ? null
      : {
          lead: ended(facts.topic),
          middle: [
            pick(['Do you have a question about it?', 'What would you like to know about it?']),
            ...ownWords(facts),
          ],
          close: pick(['Ask us in the comments.', 'Send us a message.']),
        },
  (facts, pick) =>
    facts.topic !== null && facts.audience !== null
      ? {
          lead: `${facts.audience}, this one is for you.`,
          middle: [`Our topic today: ${ended(facts.topic)}`, ...ownWords(facts)],
          close: invite(facts, pick),
        }
      : null,
  (facts, pick) =>
    facts.topic !== null && open(facts.topic)
      ? {
          lead: `${facts.topic}: ${pick(['already a favorite, or new to you?', 'have you tried it yet?'])}`,
          middle: ownWords(facts),
          close: pick(['Tell us in the comments.', 'Let us know below.']),
        }
      : null,
  (facts, pick) =>
    facts.topic !== null && open(facts.topic)
      ? {
          lead: `${facts.topic}: ${pick(['what would you tell a friend about it?', 'what do you like most about it?'])}`,
          middle: ownWords(facts),
          close: pick(['Share your answer below.', `${facts.name} looks forward to your answer.`]),
        }
      : null,
]

const withoutTopic: readonly Shape[] = [
  (facts, pick) => ({
    lead: `${pick(greetings[facts.voice])} This is ${facts.name}.`,
    middle: ownWords(facts),
    close: pick(['What would you like to know about us?', 'What brings you here?', 'Say hello in the comments.']),
  }),
  (facts, pick) => ({
    lead: pick([
      `What should ${facts.name} talk about next?`,
      `What would you like to see more of from ${facts.name}?`,
    ]),
    middle: ownWords(facts),
    close: pick(['Leave your idea in the comments.', 'Tell us below.', 'Your suggestion is welcome below.']),
  }),
  (facts, pick) =>
    facts.audience === null
      ? null
      : {
          lead: `${facts.audience}, this one is for you.`,
          middle: [...ownWords(facts), pick(['What is on your list this week?', 'What would make your week easier?'])],
          close: pick(answers),
        },
  (facts, pick) =>
    facts.industry === null
      ? null
      : {
          lead: `${facts.industry}: ${pick(['what comes to mind first?', 'what would you like to know?', 'what should more people know?'])}`,
          middle: facts.about === null ? [] : [facts.about],
          close: invite(facts, pick),
        },
  (facts, pick) =>
    facts.about === null
      ? null
      : {
          lead: facts.about,
          middle: [`We are ${facts.name}.`],
          close: pick([
            'What would you like to know about us?',
            'What should we show you next?',
            'Questions? Ask them below.',
          ]),
        },
  (facts, pick) => ({
    lead: pick(['A question for you:', 'Question of the day:', 'A quick question:']),
    middle: [
      pick(['What are you looking forward to this week?', 'What did you learn lately?', 'What made you smile today?']),
      ...ownWords(facts),
    ],
    close: pick(answers),
  }),
]

/** The shapes that fit the known facts. */
export const shapesFor = ({ topic }: Facts): readonly Shape[] => (topic === null ? withoutTopic : withTopic)
