import { createRootRoute } from '@tanstack/react-router'
import { Gate } from '../Gate.tsx'
import { NotFound } from '../../features/not-found/NotFound.tsx'

export const Route = createRootRoute({ component: Gate, notFoundComponent: NotFound })
