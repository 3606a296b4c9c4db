import { createFileRoute } from '@tanstack/react-router'
import { ReviewPage } from '../../features/review/ReviewPage.tsx'

export const Route = createFileRoute('/review')({ component: ReviewPage })
