/** `--approve starter`: what can't be taken back, or costs money. Deleting outside the project is found by path. */

/** Commands that send work to others, or change what runs elsewhere. */
const COMMANDS = {
  push: `git push, git send-pack, git subtree push, gh pr merge, gh release, gh repo delete, glab mr merge,
    svn commit`,
  publish: `npm publish, npm unpublish, pnpm publish, yarn publish, yarn npm publish, yarn workspace * publish,
    lerna publish, bun publish, cargo publish, twine upload, poetry publish, uv publish, gem push, docker push,
    podman push, docker image push, podman image push, dotnet nuget push, mvn deploy, gradle publish,
    ./gradlew publish, helm push, vsce publish`,
  deploy: `npm run deploy, pnpm deploy, pnpm run deploy, yarn deploy, bun run deploy, make deploy, just deploy,
    kubectl apply, kubectl delete, kubectl rollout, helm install, helm upgrade, helm uninstall,
    terraform apply, terraform destroy, tofu apply, tofu destroy, pulumi up, pulumi destroy, cdk deploy,
    cdk destroy, serverless deploy, sls deploy, sam deploy, vercel, netlify deploy, wrangler deploy,
    wrangler publish, firebase deploy, fly deploy, flyctl deploy, railway up, heroku, gcloud app deploy,
    gcloud run deploy, gcloud functions deploy, aws cloudformation deploy, aws s3 sync, aws s3 rm, eb deploy,
    cap production deploy, ansible-playbook, deploy.sh, ./deploy, ./deploy.sh, ./scripts/deploy.sh,
    scripts/deploy.sh, bash deploy.sh, sh deploy.sh`,
  payments: 'stripe, paypal',
};

/** Payments through a service, by shell or by a tool of a server. */
const PAYMENTS = [
  'shell(*api.stripe.com*)',
  'shell(*api.paypal.com*)',
  'shell(*api-m.paypal.com*)',
  'shell(*api.adyen.com*)',
  'tool(*stripe*)',
  'tool(*paypal*)',
  'tool(*payment*)',
  'tool(*checkout*)',
  'tool(*invoice_pay*)',
];

export const STARTER_RULES: readonly string[] = [
  ...Object.values(COMMANDS).flatMap((names) => names.split(/,\s+/).map((command) => `shell(${command} *)`)),
  ...PAYMENTS,
];

export const DELETE_OUTSIDE = 'delete outside the project';
