/** Uploads an image to X: initialize, append parts, finalize, poll. docs.x.com/x-api/media */
import { setTimeout as pause } from 'node:timers/promises'
import { query } from '../http.ts'
import { rejected, type NetworkClient } from '../network-client.ts'
import type { Image, Ready, Rejection } from '../port.ts'
import { segmentBytes, type XSettings } from './settings.ts'
import { anything, upload, uploadState, type UploadState } from './wire.ts'

/** @throws ConnectionLost, NetworkError */
export async function uploadImage(
  line: NetworkClient,
  { apiUrl, poll }: XSettings,
  image: Image,
  headers: Record<string, string>,
): Promise<Ready | Rejection> {
  const base = `${apiUrl}/2/media/upload`
  const bytes = await image.read()
  const announced = {
    media_type: image.type,
    total_bytes: bytes.length,
    media_category: image.type === 'image/gif' ? 'tweet_gif' : 'tweet_image',
  }
  const json = { ...headers, 'content-type': 'application/json' }
  const {
    data: { id },
  } = await line.ask(`${base}/initialize`, { method: 'POST', headers: json, body: JSON.stringify(announced) }, upload)

  for (let index = 0; index * segmentBytes < bytes.length; index++) {
    const body = new FormData()
    body.set('segment_index', String(index))
    body.set('media', new Blob([bytes.subarray(index * segmentBytes, (index + 1) * segmentBytes)]), 'segment')
    await line.ask(`${base}/${id}/append`, { method: 'POST', headers, body }, anything)
  }

  let state: UploadState = await line.ask(`${base}/${id}/finalize`, { method: 'POST', headers }, uploadState)
  for (let looks = 0; ; looks++) {
    const { processing_info: processing } = state.data
    // Absent for an image that needs no processing.
    if (!processing || processing.state === 'succeeded') return { kind: 'ready', media: [id] }
    if (processing.state === 'failed')
      return rejected(`${line.name} could not use the image. Change the image.`, 'edit')
    if (looks >= poll.looks) return rejected(`${line.name} is still working on the image.`, 'wait', 60)
    await pause(Math.min((processing.check_after_secs ?? 0) * 1000 || poll.pauseMs, poll.longestPauseMs))
    state = await line.ask(`${base}?${query({ media_id: id, command: 'STATUS' })}`, { headers }, uploadState)
  }
}
