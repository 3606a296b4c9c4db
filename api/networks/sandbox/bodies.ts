/** Bodies as the networks take them: forms, JSON, multipart with a file, and bare bytes. */
import { json, raw, urlencoded, type RequestHandler } from 'express'

/** A Facebook post's 63,206 characters grow twelvefold at most when they are percent-encoded. */
export const formBody: RequestHandler = urlencoded({ extended: false, limit: '1mb' })
export const jsonBody: RequestHandler = json({ limit: '1mb' })
/** Whatever its type says. */
export const bytesBody: RequestHandler = raw({ type: () => true, limit: '20mb' })

const multipart = raw({ type: 'multipart/form-data', limit: '20mb' })

/** Makes the body the fields by name: texts as strings, files as `File`. */
const fields: RequestHandler = async (request, response, next) => {
  if (!Buffer.isBuffer(request.body)) return next()
  try {
    const headers = { 'content-type': request.get('content-type') ?? '' }
    request.body = Object.fromEntries(await new Response(new Uint8Array(request.body), { headers }).formData())
  } catch {
    return void response.status(400).json({ error: { message: 'The form could not be read.' } })
  }
  next()
}
export const multipartBody: readonly RequestHandler[] = [multipart, fields]

/** A file of a multipart form. */
export function fileIn(body: unknown, name: string): File | null {
  const found = typeof body === 'object' && body !== null ? Object.entries(body).find(([key]) => key === name)?.[1] : undefined
  return found instanceof File ? found : null
}

/** The bytes of a file. */
export const bytesOf = async (file: File): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await file.arrayBuffer())
