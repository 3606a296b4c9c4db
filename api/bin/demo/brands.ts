/** The demo's brands and their texts. All of it is made up; none of it is about a person. */
import type { Platform } from '../../contract/index.ts'

export interface DemoBrand {
  readonly profile: {
    readonly name: string
    readonly description: string
    readonly industry: string
    readonly targetAudience: string
    readonly toneOfVoice: string
    readonly brandColor: string
  }
  readonly accounts: readonly { readonly platform: Platform; readonly accountName: string }[]
  /** An image file in the web's `demo` folder, for networks that require one. */
  readonly image: string
  readonly texts: readonly string[]
}

export const brands: readonly DemoBrand[] = [
  {
    profile: {
      name: 'Blue Cup Coffee',
      description: 'A coffee bar and small roastery by the harbour.',
      industry: 'Food and drink',
      targetAudience: 'Commuters and people who work from cafés',
      toneOfVoice: 'friendly',
      brandColor: '#2f6f9f',
    },
    accounts: [
      { platform: 'instagram', accountName: 'bluecup.coffee' },
      { platform: 'facebook', accountName: 'Blue Cup Coffee' },
    ],
    image: 'coffee.jpg',
    texts: [
      'New on the bar this week: a washed Ethiopian with a lot of peach. Ask for it as a pour-over, it is worth the three minutes.',
      'Rain outside, window seat inside. We are open until eight, and the cinnamon buns came out of the oven at four.',
      'A small thing we changed: oat milk costs the same as cow milk now. No footnote.',
      'Which one on a Monday: a double espresso, or a flat white that forgives you for the weekend?',
      'We roast on Tuesdays. If the whole street smells of toast and cocoa, that was us. Come in, the first batch is on the shelf from noon.',
      'Cold brew is back. Eighteen hours, no rush, one large ice cube.',
      'Reusable cup day is every day. Bring yours and the next filter coffee is on us.',
    ],
  },
  {
    profile: {
      name: 'Fjord Outdoor',
      description: 'Clothes and gear for people who walk a long way in bad weather.',
      industry: 'Retail',
      targetAudience: 'Hikers and campers, 25 to 50',
      toneOfVoice: 'adventurous',
      brandColor: '#1d6b57',
    },
    accounts: [
      { platform: 'instagram', accountName: 'fjord.outdoor' },
      { platform: 'twitter', accountName: '@fjordoutdoor' },
      { platform: 'facebook', accountName: 'Fjord Outdoor' },
    ],
    image: 'trail.jpg',
    texts: [
      'Three layers, one rule: the middle one does the work. What is in your pack when the forecast says "changeable"?',
      'We repaired 412 jackets last year. Yours could be the next one: bring it to any shop, zips are free.',
      'The best boots are the ones you forgot you were wearing. Our Ridge Mid is back in all sizes.',
      'First frost on the pass this morning. Time to dig out the gloves from wherever May put them.',
      'Short days, long shadows, empty trails. November is underrated.',
      'How to pack for two nights in 28 litres: sleeping bag low, food in the middle, rain jacket where your hand finds it in the dark.',
    ],
  },
  {
    profile: {
      name: 'Grüne Küche',
      description: 'Saisonale, pflanzliche Küche mit Zutaten aus der Region.',
      industry: 'Restaurant',
      targetAudience: 'Berufstätige, die mittags gut und schnell essen wollen',
      toneOfVoice: 'warm',
      brandColor: '#5b8c2a',
    },
    accounts: [
      { platform: 'facebook', accountName: 'Grüne Küche' },
      { platform: 'instagram', accountName: 'gruene.kueche' },
    ],
    image: 'greens.jpg',
    texts: [
      'Diese Woche auf dem Mittagstisch: Kürbis aus dem Ofen mit Linsen, Salbei und einem Klecks Zitronenjoghurt.',
      'Wusstet ihr, dass wir unser Geschirr aus Pfandgläsern ausgeben? Zurückbringen, kurz plaudern, nächstes Gericht mitnehmen.',
      'Grünkohl kann mehr als Eintopf: bei uns gibt es ihn heute knusprig gebacken, mit gerösteten Haselnüssen.',
      'Donaudampfschifffahrtsgesellschaftskapitänsmützen haben wir nicht, aber Rote-Bete-Carpaccio mit Meerrettich.',
      'Unser Brot backen wir selbst. Wer vor zehn kommt, bekommt das Endstück geschenkt.',
    ],
  },
  {
    profile: {
      name: 'Lumen Dental',
      description: 'A dental practice that explains what it does before it does it.',
      industry: 'Health',
      targetAudience: 'Families in the neighbourhood',
      toneOfVoice: 'professional',
      brandColor: '#7a4fb5',
    },
    accounts: [
      { platform: 'linkedin', accountName: 'Lumen Dental' },
      { platform: 'facebook', accountName: 'Lumen Dental Practice' },
    ],
    image: 'coffee.jpg',
    texts: [
      'Nervous about the dentist? Tell us at the door. We take the first five minutes to talk, and nothing else happens until you say so.',
      'We are looking for a dental assistant (part time, afternoons). Our team eats lunch together, and the drills are quiet ones.',
      'An electric toothbrush is not magic, but two minutes twice a day is. Ours are set to beep.',
      'New: appointments on Thursday evenings until 20:00, for everyone whose day ends after our old one did.',
    ],
  },
  {
    profile: {
      name: 'Harbour Books',
      description: 'An independent bookshop with a reading room upstairs.',
      industry: 'Retail',
      targetAudience: 'Readers of new fiction, and their children',
      toneOfVoice: 'witty',
      brandColor: '#c0563b',
    },
    accounts: [
      { platform: 'twitter', accountName: '@harbourbooks' },
      { platform: 'facebook', accountName: 'Harbour Books' },
    ],
    image: 'books.jpg',
    texts: [
      'You can not buy happiness, but you can buy a second copy of the book you lent out in 2019.',
      'Reading hour for children on Saturday at eleven. Dragons are expected, capes are welcome.',
      'Our window this week: books with the sea in them. Some are wet, most are just salty.',
      'Staff argument of the day: is it a thriller if everybody survives? Come in and settle it.',
      'Signed copies have arrived. They go the way signed copies go: quickly, and the shop cat sits on the rest.',
    ],
  },
]
