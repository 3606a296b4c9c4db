/**
 * Uploads an image to LinkedIn: initialize, send, poll.
 * learn.microsoft.com/linkedin/marketing/community-management/shares/images-api
 */
import { setTimeout as pause } from 'node:timers/promises'
import { rejected, type NetworkClient } from '../network-client.ts'
import type { Ready, Rejection, Submission } from '../port.ts'
import { restHeaders } from './headers.ts'
import { linkedinWaits, type LinkedInSettings } from './settings.ts'
import { anything, image as imageState, upload } from './wire.ts'

/** @throws ConnectionLost, NetworkError */
export async function uploadImage(
  line: NetworkClient,
  settings: LinkedInSettings,
  { tokens, remoteId, image }: Submission,
): Promise<Ready | Rejection> {
  if (!image) return { kind: 'ready', media: [] }
  const { apiUrl, poll } = settings
  const headers = restHeaders(settings, tokens)
  const body = JSON.stringify({ initializeUploadRequest: { owner: remoteId } })
  const begin = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body } as const
  const { value } = await line.ask(`${apiUrl}/rest/images?action=initializeUpload`, begin, upload)

  const sent = { authorization: `Bearer ${tokens.accessToken}`, 'content-type': image.type }
  await line.ask(value.uploadUrl, { method: 'PUT', headers: sent, body: await image.read() }, anything)

  for (let looks = 0; looks < poll.looks; looks++) {
    if (looks > 0) await pause(poll.pauseMs)
    const { status } = await line.ask(
      `${apiUrl}/rest/images/${encodeURIComponent(value.image)}`,
      { headers },
      imageState,
    )
    if (status === 'AVAILABLE') return { kind: 'ready', media: [value.image] }
    if (status === 'PROCESSING_FAILED')
      return rejected(`${line.name} could not use the image. Change the image.`, 'edit')
  }
  return rejected(`${line.name} is still working on the image.`, 'wait', linkedinWaits.image)
}
