import { z } from 'zod'
import { storedImageSchema } from '../../domain/core/values.ts'
import { maxImageBytes } from './limits.ts'
import { route } from './route.ts'

const uploadedImage = storedImageSchema.extend({ url: z.string() })
export type UploadedImage = z.infer<typeof uploadedImage>

export const mediaRoutes = {
  uploadImage: route({
    method: 'POST',
    path: '/api/media',
    access: 'agency',
    needs: 'writer',
    client: 'agency',
    summary: 'Upload an image as it is; its address is good for any post',
    raw: { type: 'image/*', maxBytes: maxImageBytes },
    reply: uploadedImage,
    status: 201,
    errors: {
      409: "The agency's room for images is used up",
      415: 'Not a JPEG, PNG, GIF or WebP',
      429: 'Too many in an hour',
      503: 'It could not be stored',
    },
  }),
  convertImage: route({
    method: 'POST',
    path: '/api/media/{hash}/jpeg',
    access: 'agency',
    needs: 'writer',
    client: 'agency',
    summary:
      'A JPEG of a stored PNG or WebP, upright and without metadata, for networks that take no other type; a JPEG is answered as it is',
    params: z.object({
      hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'Send the hash of a stored image')
        .meta({ examples: ['a'.repeat(64)] }),
    }),
    reply: uploadedImage,
    status: 200,
    errors: {
      409: "It can't be converted, or the agency's room for images is used up",
      429: 'Too many in an hour',
      503: 'Too many are being converted',
    },
  }),
}
