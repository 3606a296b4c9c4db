import { z } from 'zod'

export const clientView = z.object({
  id: z.string(),
  agencyId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  industry: z.string().nullable(),
  targetAudience: z.string().nullable(),
  toneOfVoice: z.string().nullable(),
  brandColor: z.string(),
  logoUrl: z.string().nullable(),
  createdAt: z.string(),
})
export type ClientView = z.infer<typeof clientView>
