/** The names of what is true. */
export function namesOf(facts: Readonly<Record<string, boolean>>): string[] {
  const names: string[] = []
  for (const name in facts) if (facts[name]) names.push(name)
  return names
}
