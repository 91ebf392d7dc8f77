import type { Finding } from './finding.ts'

/** Turns a finding into one that says why nothing can be said. What contradicts a claim stays. */
export function undecided(
  finding: Finding,
  why: { readonly evidence: string; readonly decide: string | null; readonly left?: readonly unknown[] },
): Finding {
  const { value: _, ...rest } = finding
  return { ...rest, left: [], ...why, state: 'unknown' }
}

/** Turns a known value into a likely one, because something could still speak for another. */
export const onlyLikely = (finding: Finding, why: { evidence: string; decide: string }): Finding =>
  finding.state === 'known' || finding.state === 'likely' ? { ...finding, ...why, state: 'likely' } : finding
