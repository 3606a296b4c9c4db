/** Loads each aggregate by its id: its state, and the head of its stream. */
import { agencyDecider } from '../../domain/agency/decider.ts'
import type { Agency } from '../../domain/agency/state.ts'
import { auditorLinkDecider, type AuditorLink } from '../../domain/auditor-link/decider.ts'
import { clientDecider } from '../../domain/client/decider.ts'
import type { Client } from '../../domain/client/state.ts'
import type { Generation } from '../../domain/core/generation.ts'
import { discussionDecider } from '../../domain/discussion/decider.ts'
import type { Discussion } from '../../domain/discussion/state.ts'
import { generationDecider } from '../../domain/generation/decider.ts'
import { postDecider } from '../../domain/post/decider.ts'
import type { Post } from '../../domain/post/state.ts'
import { reviewLinkDecider, type ReviewLink } from '../../domain/review-link/decider.ts'
import type { AggregateLoader, Loaded } from './aggregates.ts'

/** A loader, which reads each time, or a request's scope, which reads once. */
export type Loads = Pick<AggregateLoader, 'load'>

export const agencyStream = (agencyId: string): string => `agency-${agencyId}`
export const clientStream = (clientId: string): string => `client-${clientId}`
export const generationStream = (generationId: string): string => `generation-${generationId}`
export const postStream = (postId: string): string => `post-${postId}`
/** The comments on a post. */
export const discussionStream = (postId: string): string => `discussion-${postId}`
export const auditorLinkStream = (linkId: string): string => `auditorlink-${linkId}`
export const reviewLinkStream = (linkId: string): string => `reviewlink-${linkId}`

export const loadAgency = (from: Loads, agencyId: string): Promise<Loaded<Agency>> =>
  from.load(agencyStream(agencyId), agencyDecider)
export const loadClient = (from: Loads, clientId: string): Promise<Loaded<Client>> =>
  from.load(clientStream(clientId), clientDecider)
export const loadGeneration = (from: Loads, generationId: string): Promise<Loaded<Generation | null>> =>
  from.load(generationStream(generationId), generationDecider)
export const loadPost = (from: Loads, postId: string): Promise<Loaded<Post>> =>
  from.load(postStream(postId), postDecider)
export const loadDiscussion = (from: Loads, postId: string): Promise<Loaded<Discussion>> =>
  from.load(discussionStream(postId), discussionDecider)
export const loadAuditorLink = (from: Loads, linkId: string): Promise<Loaded<AuditorLink>> =>
  from.load(auditorLinkStream(linkId), auditorLinkDecider)
export const loadReviewLink = (from: Loads, linkId: string): Promise<Loaded<ReviewLink>> =>
  from.load(reviewLinkStream(linkId), reviewLinkDecider)
