/**
 * Functions of extensions that act on nothing, each by its name. One counts only as a member of the extension that belongs to
 * a superuser: a role that may install an extension does not own what is in it.
 */
export const ofExtensions: Readonly<Record<string, string>> = {
	btree_gin: 'gin_enum_cmp gin_numeric_cmp',
	btree_gist:
		'cash_dist date_dist float4_dist float8_dist gist_translate_cmptype_btree int2_dist int4_dist int8_dist interval_dist oid_dist time_dist ts_dist tstz_dist',
	citext:
		'citext citext_cmp citext_eq citext_ge citext_gt citext_hash citext_hash_extended citext_larger citext_le citext_lt citext_ne citext_pattern_cmp citext_pattern_ge citext_pattern_gt citext_pattern_le citext_pattern_lt citext_smaller citextsend max min regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table replace split_part strpos texticlike texticnlike texticregexeq texticregexne translate',
	cube: 'cube cube_cmp cube_contained cube_contains cube_coord cube_coord_llur cube_dim cube_distance cube_enlarge cube_eq cube_ge cube_gt cube_inter cube_is_point cube_le cube_ll_coord cube_lt cube_ne cube_overlap cube_send cube_size cube_subset cube_union cube_ur_coord distance_chebyshev distance_taxicab',
	earthdistance: 'earth earth_box earth_distance gc_to_sec geo_distance latitude ll_to_earth longitude sec_to_gc',
	fuzzystrmatch:
		'daitch_mokotoff difference dmetaphone dmetaphone_alt levenshtein levenshtein_less_equal metaphone soundex text_soundex',
	hstore:
		'akeys avals defined delete each exist exists_all exists_any fetchval hs_concat hs_contained hs_contains hstore hstore_cmp hstore_eq hstore_ge hstore_gt hstore_hash hstore_hash_extended hstore_le hstore_lt hstore_ne hstore_send hstore_to_array hstore_to_json hstore_to_json_loose hstore_to_jsonb hstore_to_jsonb_loose hstore_to_matrix hstore_version_diag isdefined isexists populate_record skeys slice slice_array svals tconvert',
	intarray:
		'_int_contained _int_contains _int_different _int_inter _int_overlap _int_same _int_union boolop icount idx intarray_del_elem intarray_push_array intarray_push_elem intset intset_subtract intset_union_elem querytree rboolop sort sort_asc sort_desc subarray uniq',
	isn: 'btean13cmp btisbn13cmp btisbncmp btismn13cmp btismncmp btissn13cmp btissncmp btupccmp hashean13 hashisbn hashisbn13 hashismn hashismn13 hashissn hashissn13 hashupc is_valid isbn isbn13 ismn ismn13 isneq isnge isngt isnle isnlt isnne issn issn13 make_valid upc',
	ltree:
		'_lt_q_regex _lt_q_rregex _ltq_extract_regex _ltq_regex _ltq_rregex _ltree_extract_isparent _ltree_extract_risparent _ltree_isparent _ltree_r_isparent _ltree_r_risparent _ltree_risparent _ltxtq_exec _ltxtq_extract_exec _ltxtq_rexec hash_ltree hash_ltree_extended index lca lquery_send lt_q_regex lt_q_rregex ltq_regex ltq_rregex ltree2text ltree_addltree ltree_addtext ltree_cmp ltree_eq ltree_ge ltree_gt ltree_isparent ltree_le ltree_lt ltree_ne ltree_risparent ltree_send ltree_textadd ltxtq_exec ltxtq_rexec ltxtq_send nlevel subltree subpath text2ltree',
	pg_stat_statements: 'pg_stat_statements pg_stat_statements_info',
	pg_trgm:
		'show_limit show_trgm similarity similarity_dist similarity_op strict_word_similarity strict_word_similarity_commutator_op strict_word_similarity_dist_commutator_op strict_word_similarity_dist_op strict_word_similarity_op word_similarity word_similarity_commutator_op word_similarity_dist_commutator_op word_similarity_dist_op word_similarity_op',
	pgcrypto:
		'armor crypt dearmor decrypt decrypt_iv digest encrypt encrypt_iv gen_random_bytes gen_random_uuid gen_salt hmac pgp_armor_headers pgp_key_id pgp_pub_decrypt pgp_pub_decrypt_bytea pgp_pub_encrypt pgp_pub_encrypt_bytea pgp_sym_decrypt pgp_sym_decrypt_bytea pgp_sym_encrypt pgp_sym_encrypt_bytea',
	postgis:
		'_st_bestsrid box box2d box3d bytea contains_2d geography geography_cmp geography_distance_knn geography_eq geography_ge geography_gt geography_le geography_lt geography_overlaps geometry geometry_above geometry_below geometry_cmp geometry_contained_3d geometry_contains geometry_contains_3d geometry_contains_nd geometry_distance_box geometry_distance_centroid geometry_distance_centroid_nd geometry_distance_cpa geometry_eq geometry_ge geometry_gt geometry_le geometry_left geometry_lt geometry_overabove geometry_overbelow geometry_overlaps geometry_overlaps_3d geometry_overlaps_nd geometry_overleft geometry_overright geometry_right geometry_same geometry_same_3d geometry_same_nd geometry_within geometry_within_nd geometrytype is_contained_2d json jsonb overlaps_2d overlaps_geog overlaps_nd path point polygon postgis_transform_geometry st_area st_asbinary st_asewkt st_asgeojson st_astext st_azimuth st_boundary st_buffer st_centroid st_collect st_contains st_convexhull st_coveredby st_covers st_crosses st_difference st_dimension st_disjoint st_distance st_dwithin st_endpoint st_envelope st_equals st_extent st_geogfromtext st_geographyfromtext st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb st_intersection st_intersects st_isempty st_isvalid st_isvaliddetail st_length st_m st_makeenvelope st_makeline st_makepoint st_makepolygon st_npoints st_numpoints st_overlaps st_perimeter st_point st_pointn st_setsrid st_simplify st_srid st_startpoint st_symdifference st_touches st_transform st_union st_within st_x st_xmax st_xmin st_y st_ymax st_ymin st_z text',
	seg: 'seg_center seg_cmp seg_contained seg_contains seg_different seg_ge seg_gt seg_inter seg_le seg_left seg_lower seg_lt seg_over_left seg_over_right seg_overlap seg_right seg_same seg_size seg_union seg_upper',
	unaccent: 'unaccent',
	'uuid-ossp':
		'uuid_generate_v1 uuid_generate_v1mc uuid_generate_v3 uuid_generate_v4 uuid_generate_v5 uuid_nil uuid_ns_dns uuid_ns_oid uuid_ns_url uuid_ns_x500',
	vector:
		'array_to_halfvec array_to_sparsevec array_to_vector avg binary_quantize cosine_distance halfvec halfvec_add halfvec_cmp halfvec_concat halfvec_eq halfvec_ge halfvec_gt halfvec_le halfvec_lt halfvec_mul halfvec_ne halfvec_negative_inner_product halfvec_sub halfvec_to_float4 halfvec_to_sparsevec halfvec_to_vector hamming_distance inner_product jaccard_distance l1_distance l2_distance l2_norm l2_normalize sparsevec sparsevec_cmp sparsevec_eq sparsevec_ge sparsevec_gt sparsevec_le sparsevec_lt sparsevec_ne sparsevec_negative_inner_product sparsevec_to_halfvec sparsevec_to_vector subvector sum vector vector_add vector_avg vector_cmp vector_concat vector_dims vector_eq vector_ge vector_gt vector_l2_squared_distance vector_le vector_lt vector_mul vector_ne vector_negative_inner_product vector_norm vector_spherical_distance vector_sub vector_to_float4 vector_to_halfvec vector_to_sparsevec',
}
