/**
 * The reviewers that a start asks for, what they have to look for, and what can refuse them before anything
 * is created.
 */
import { resolve } from 'node:path';
import { reviewerOf, type ReviewGate } from '#law/gates.ts';
import { hash } from '#base/hash.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { readRegular, WITH_LINKS } from '#base/files/read.ts';
import type { StartRequest } from '#input/arguments.ts';
import { nearest } from '#base/words/did-you-mean.ts';
import type { Reading } from '#input/values.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { HOST_NAMES } from '#hosts/tables/names.ts';
import { namesFor } from '#hosts/tables/acp-names.ts';
import { findProgram } from '#hosts/port/program.ts';
import type { Configured } from '#evidence/proofs/stop-hooks/configure.ts';

/** A loop that is not done after three reviews needs a person. */
const DEFAULT_MAX_REVIEWS = 3;
/** It goes into the brief of each reviewer, beside the task and the diff. */
const MAX_RUBRIC_CHARS = 20_000;

/** Reviewers that are typed replace those of the config. */
export function reviewGates(request: StartRequest, configured: Configured | null): readonly ReviewGate[] {
  const { reviewers: typed, maxReviews } = request;
  const reviewers = typed.length > 0 ? typed : (configured?.found.reviewers ?? []);
  const most = maxReviews ?? configured?.found.maxReviews ?? DEFAULT_MAX_REVIEWS;
  const byName = new Map(reviewers.map((one) => [reviewerOf(one), one]));
  return [...byName.values()].map((one) => ({ kind: 'review', ...one, most }));
}

type ReviewsAsked = Pick<StartRequest, 'require' | 'maxReviews' | 'rubric'>;

export function refuseReviews(
  asked: ReviewsAsked,
  reviews: readonly ReviewGate[],
  env: Environment,
): Refusal | null {
  const lonely = [
    ...(asked.maxReviews === null ? [] : ['--max-reviews']),
    ...(asked.rubric === null ? [] : ['--rubric']),
  ];
  if (reviews.length === 0 && lonely[0] !== undefined)
    return refuseReview(`${lonely[0]} is given without a review.`, 'Give it: --review HOST.');
  if (reviews.length > 0 && asked.require === 'any')
    return refuseReview(
      'A review comes when all else holds, so --require any contradicts it.',
      'Leave one of the two out.',
    );
  return refuseReviewers(reviews, env);
}

/** The first of them that can't review here. */
export function refuseReviewers(reviews: readonly ReviewGate[], env: Environment): Refusal | null {
  for (const { host } of reviews) {
    const refusal = refuseReviewer(host, env);
    if (refusal !== null) return refusal;
  }
  return null;
}

function refuseReviewer(name: string, env: Environment): Refusal | null {
  const names = HOST_NAMES.map((one) => one.name);
  const host = namesFor(name);
  const found = host === null ? null : findProgram(host, env);
  if (found?.ok) return null;
  if (found !== null) return { ...found, message: `The work can't be reviewed: ${found.message}` };
  const near = nearest(name, names);
  const meant = near === null ? '' : `; the nearest one is ${near}`;
  const next = `Give one of: ${names.join(', ')}, or acp:COMMAND.`;
  return refuseReview(`--review takes the name of a host, not ${JSON.stringify(name)}${meant}.`, next);
}

function refuseReview(why: string, next: string): Refusal {
  return refuse('bad-review', why, next);
}

export interface Rubric {
  readonly text: string;
  /** Under which it is kept. */
  readonly key: string;
}

/** What it says now is what counts: the agent may change the file later. Null: none is asked for. */
export function readRubric(rubric: string, project: string): Reading<Rubric> {
  const file = resolve(project, rubric);
  const bad = (why: string, next: string) => refuse('bad-rubric', `--rubric ${rubric} ${why}.`, next);
  const read = readRegular(file, WITH_LINKS);
  if (read.is !== 'content')
    return bad(read.is === 'gone' ? 'is not there' : `can't be read (${read.why})`, 'Name a text file.');
  const text = read.content.trim();
  if (text === '') return bad('is empty', 'Write what the reviewers have to look for.');
  if (text.length > MAX_RUBRIC_CHARS)
    return bad(`has more than ${MAX_RUBRIC_CHARS} characters`, 'Say it shorter: it is part of each review.');
  return { ok: true, value: { text, key: hash(text) } };
}
