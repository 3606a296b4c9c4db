/** Sends an image as it is, and tells how far it got: only the older way of asking can tell. */
import type { UploadedImage } from '../../api/contract/index.ts'
import { callWords } from './call-words.ts'
import { connection } from './connection.ts'

/** `onProgress` gets 0 to 1. Resolves to null when it was stopped. @throws Error like those of `call` */
export function uploadImage(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<UploadedImage | null> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/media')
    request.setRequestHeader('Content-Type', file.type)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
    request.addEventListener('load', () => {
      connection.found()
      if (request.status === 201) resolve(JSON.parse(request.responseText) as UploadedImage)
      else reject(new Error(`${request.status}: ${request.responseText || request.statusText}`))
    })
    request.addEventListener('error', () => {
      connection.lost()
      reject(new Error(callWords.unreachable))
    })
    request.addEventListener('abort', () => resolve(null))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}
