import { causeTable } from '../../../domain/diagnosis/causes.ts'
import { type DashboardPage, linkTo, type Shell } from '../../framework/view.ts'
import { Inline } from '../../reference/prose.tsx'

const path = '/ui/causes'

/** `/_emulator/ui/causes`: all causes of rejected calls, as in docs/reference/diagnosis.md. */
export const causesPage: DashboardPage = {
  path,
  show: async ({ shell }) => ({
    title: 'Why was a call rejected?',
    body: (
      <>
        <p>
          The service gives the same answer for a wrong signature, a wrong token and another client’s
          clientId. The request log shows the actual cause. These are all causes:
        </p>
        {[...Map.groupBy(Object.entries(causeTable), ([cause]) => cause.split('.')[0] ?? '')].map(
          ([group, rows]) => (
            <>
              <h2 id={`group-${group}`}>{group}</h2>
              <table class="list causes">
                <thead>
                  <tr>
                    <th scope="col">Cause</th>
                    <th scope="col">Meaning</th>
                    <th scope="col">Fix</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(([cause, [means, todo]]) => (
                    <tr id={cause}>
                      <th scope="row" data-label="Cause">
                        <a href={linkTo(shell, '/ui/requests', { 'diagnosis.cause': cause })}>{cause}</a>
                      </th>
                      <td data-label="Meaning">
                        <Inline text={means} />
                      </td>
                      <td data-label="Fix">
                        <Inline text={todo} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          ),
        )}
      </>
    ),
  }),
}

/** Returns a link to the explanation of a cause. */
export const linkToCause = (shell: Shell, cause: string): string => `${linkTo(shell, path)}#${cause}`
