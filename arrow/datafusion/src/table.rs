use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{TableReference, internal_err, plan_err};
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::execution::cache::TableScopedPath;
use datafusion::logical_expr::{Expr, SortExpr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;

use crate::format::SitemapFormat;

/// The sitemaps at a place (a file, a folder or a glob, as a path or as a URL): a `ListingTable` whose files are listed
/// in the expected way.
///
/// * A folder is read with its subfolders, which a `ListingTable` omits unless the session sets this for all tables.
/// * A glob can also follow a URL: `s3://bucket/2024-*/**/*.xml.gz`. A pattern without a `/` matches nothing in
///   subfolders, but a folder whose name matches is read completely. In a pattern with a `/`, `*` matches `/` as well.
/// * Each query lists again. A `ListingTable` keeps its first listing for as long as the session lasts.
/// * A place without files is an error, not an empty table.
#[derive(Debug)]
pub struct SitemapTable {
    listing: ListingTable,
    location: ListingTableUrl,
}

impl SitemapTable {
    /// A table of what is at `location` when it is queried.
    ///
    /// # Errors
    ///
    /// `DataFusionError` if the location is neither a path nor a URL, or if the glob is invalid.
    pub fn try_new(location: &str, format: SitemapFormat) -> Result<Self> {
        Self::with_layout(location, format, &[], Vec::new())
    }

    /// Like `new`, for folders named `column=value` for these columns, and for rows that are in this order.
    pub(crate) fn with_layout(
        location: &str,
        format: SitemapFormat,
        partition_columns: &[String],
        order: Vec<Vec<SortExpr>>,
    ) -> Result<Self> {
        // The name separates the listings of different stores, which are cached by path alone.
        let location = parse(location)?.with_table_ref(TableReference::bare(location));
        let text = DataType::Dictionary(Box::new(DataType::UInt16), Box::new(DataType::Utf8));
        let partitions = partition_columns
            .iter()
            .map(|name| (name.clone(), text.clone()))
            .collect();
        let schema = format.schema();
        let options = ListingOptions::new(Arc::new(format))
            .with_table_partition_cols(partitions)
            .with_file_sort_order(order);
        let config = ListingTableConfig::new(location.clone())
            .with_listing_options(options)
            .with_schema(schema);
        Ok(Self {
            listing: ListingTable::try_new(config)?,
            location,
        })
    }

    /// Returns `true` if all files are in one folder.
    fn is_flat(&self) -> bool {
        let glob = self.location.get_glob().as_ref();
        glob.is_some_and(|glob| !glob.as_str().contains('/') && glob.as_str() != "**")
    }

    /// The session with the settings for listing.
    fn listing_session(&self, session: &dyn Session) -> Result<SessionState> {
        let Some(state) = session.as_any().downcast_ref::<SessionState>() else {
            return internal_err!("a table of sitemaps needs the session of DataFusion itself");
        };
        let mut state = state.clone();
        let options = state.config_mut().options_mut();
        options.execution.listing_table_ignore_subdirectory = self.is_flat();
        Ok(state)
    }

    fn forget_listing(&self, session: &dyn Session) {
        if let Some(cache) = session.runtime_env().cache_manager.get_list_files_cache() {
            cache.remove(&TableScopedPath {
                table: self.location.get_table_ref().clone(),
                path: self.location.prefix().clone(),
            });
        }
    }
}

#[async_trait]
impl TableProvider for SitemapTable {
    fn schema(&self) -> SchemaRef {
        self.listing.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let state = self.listing_session(session)?;
        let plan = self.listing.scan(&state, projection, filters, limit).await;
        self.forget_listing(session);
        let plan = plan?;
        // Filters on partitions may rightly leave nothing.
        if plan.is::<EmptyExec>() && filters.is_empty() {
            let location = &self.location;
            return match location.get_glob() {
                Some(glob) => plan_err!("no file matches `{glob}` in {location}"),
                None => plan_err!("there is no file, or none that has any bytes, at {location}"),
            };
        }
        Ok(plan)
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        self.listing.supports_filters_pushdown(filters)
    }
}

/// Like `ListingTableUrl::parse`, which accepts globs only in paths, but also accepts them in URLs.
fn parse(location: &str) -> Result<ListingTableUrl> {
    const AUTHORITY: &str = "://";
    let glob = location.find(['?', '*', '[']);
    let (Some(scheme), Some(glob)) = (location.find(AUTHORITY), glob) else {
        return ListingTableUrl::parse(location);
    };
    let folder = location.get(..glob).and_then(|before| before.rfind('/'));
    match folder.and_then(|slash| location.split_at_checked(slash + 1)) {
        Some((folder, glob)) if folder.len() > scheme + AUTHORITY.len() => {
            ListingTableUrl::parse(folder)?.with_glob(glob)
        }
        _ => Err(DataFusionError::Plan(format!(
            "there is no folder before the glob in {location}"
        ))),
    }
}
