/** The approval steps of a post. Loaded for posts that have some: most agencies need one approval. */
import { Suspense } from 'react'
import type { Post } from '../../../api/contract/index.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'

const Steps = lazyPart(() => import('./Steps.tsx'))

export const StepRail = ({ steps }: Pick<Post, 'steps'>) =>
  steps === null ? null : (
    <Suspense fallback={<div className="h-10" />}>
      <Steps steps={steps} />
    </Suspense>
  )
