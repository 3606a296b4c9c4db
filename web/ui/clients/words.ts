/** The words of a client's form. */
export const words = {
  name: 'Name',
  description: 'Description',
  descriptionExample: 'What the brand does, in one or two sentences',
  industry: 'Industry',
  industryExample: 'Coffee',
  audience: 'Target Audience',
  audienceExample: 'Commuters, 25 to 40',
  tone: 'Tone of Voice',
  toneExample: 'Warm, witty',
  color: 'Brand Color',
  logo: 'Logo URL',
  logoExample: 'https://',
  cancel: 'Cancel',
  error: 'Error',
} as const
