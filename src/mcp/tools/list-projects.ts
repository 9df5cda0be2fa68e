import * as z from 'zod';
import { pageOf } from '../../account/search.ts';
import type { ProjectId } from '../../service/ids.ts';
import { brief, listText, quoted, token } from '../answer/table.ts';
import { defineTool } from '../define-tool.ts';
import {
  nearestOut,
  PagerOut,
  ProjectOut,
  pageArgument,
  pagerOut,
  projectOut,
  projectPlanTypeArgument,
  sizeArgument,
  skippedOut,
  sortArgument,
  sortedOut,
} from '../shapes.ts';

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description:
    'Projects (folders of videos), a page at a time; with search, over all pages. planType is standard or edge, not an account plan.',
  effect: 'read',
  input: {
    search: z.string().max(200).optional(),
    planType: projectPlanTypeArgument,
    sort: sortArgument,
    projectId: z.string().max(500).optional(),
    parentId: z.string().max(500).optional(),
    page: pageArgument,
    size: sizeArgument,
  },
  output: { pager: PagerOut, projects: z.array(ProjectOut) },
  cuttable: ['projects'],
  run: async ({ search, projectId, parentId, ...rest }, { client, account, signal, progress }) => {
    // Filters by id: what a caller writes becomes an id by being sent as one.
    const query = { ...rest, projectId: projectId as ProjectId | undefined, parentId: parentId as ProjectId | undefined };
    if (search === undefined || search.trim() === '') {
      const found = await client.projects.list(query, signal);
      const projects = found.items.map((project) => projectOut(project, 'short'));
      return { pager: pagerOut(found.pager), projects, ...sortedOut(query.sort, found.pager), ...skippedOut(found) };
    }
    const { page, size, ...filter } = query;
    const found = await account.searchProjects(search, { signal, progress }, filter);
    const { pager, items } = pageOf(found.items, query);
    return { pager, projects: items.map((project) => projectOut(project, 'short')), ...skippedOut(found), ...nearestOut(found) };
  },
  present: ({ projects, ...rest }) =>
    listText('projects', rest, projects, {
      id: ({ id }) => token(id),
      key: ({ key }) => token(key),
      name: ({ name }) => quoted(name),
      region: ({ region }) => token(region),
      planType: ({ planTypeName }) => planTypeName,
      description: ({ description }) => brief(typeof description === 'string' ? description : undefined),
    }),
});
